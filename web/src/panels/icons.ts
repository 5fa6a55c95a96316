// Small line icons, drawn as paths in a field of 16 × 16.

const PATHS = {
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  hidden: "M2 2l12 12M6.2 4.1A7 7 0 0 1 8 3.8C12 3.8 14.5 8 14.5 8a12 12 0 0 1-1.9 2.3M10 11.9a6.6 6.6 0 0 1-2 .3C4 12.2 1.5 8 1.5 8a12 12 0 0 1 2.5-2.8",
  isolate: "M8 1v3M8 12v3M1 8h3M12 8h3M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  pin: "M4 2v12M12 2v12M4 8h8M6 6L4 8l2 2M10 6l2 2-2 2",
  keep: "M5.5 2h5l-.8 4.5 2.3 2.5H4l2.3-2.5zM8 9v5",
  table: "M2 3h12v10H2zM2 6.5h12M2 10h12M6.5 3v10",
  image: "M2 3h12v10H2zM2 11l3.5-3.5L8 10l2.5-2.5L14 11M10.5 5.8a.9.9 0 1 0 0-.1",
  spectrum: "M2 13.5h12M3.5 13V10M6 13V3M8.5 13V8M11 13v-6M13.5 13v-2",
  statistics: "M12 3H4l4.5 5L4 13h8",
  log: "M2 2v12h12M4 12c0-6 3-8 9.5-8.5",
} as const;

export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "p-icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
