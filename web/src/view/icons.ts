// Icons as paths in a square of 16.

const SVG = "http://www.w3.org/2000/svg";

const PATHS: Record<string, string> = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  back: "M10.5 3v10L4 8z",
  forth: "M5.5 3v10L12 8z",
  loop: "M4 4h7V1.8L14.5 5 11 8.2V6H5v3H3V5a1 1 0 0 1 1-1zM12 12H5v2.2L1.5 11 5 7.8V10h6V7h2v4a1 1 0 0 1-1 1z",
  fit: "M2 2h4v1.6H3.6V6H2zM10 2h4v4h-1.6V3.6H10zM2 10h1.6v2.4H6V14H2zM12.4 10H14v4h-4v-1.6h2.4zM5.5 5.5h5v5h-5z",
  cube: "M8 1l6 3.3v7.4L8 15l-6-3.3V4.3zM8 2.8L4.4 4.8 8 6.8l3.6-2zM3.5 6v4.8l3.8 2.1V8.1zM12.5 6L8.7 8.1v4.8l3.8-2.1z",
  theme: "M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1.4a5.1 5.1 0 0 0 0-10.2z",
  help: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 11.6a1 1 0 1 1 0-2 1 1 0 0 1 0 2zm.9-3.6H7.2c0-2 1.9-2 1.9-3.3 0-.7-.5-1.1-1.1-1.1-.7 0-1.2.5-1.2 1.2H5.1C5.1 4.100 6.300 3 8 3c1.600 0 2.800 1 2.800 2.600C10.800 7.500 8.900 7.600 8.900 9z",
};

export function icon(name: string): SVGSVGElement {
  const image = document.createElementNS(SVG, "svg");
  image.setAttribute("viewBox", "0 0 16 16");
  image.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  path.setAttribute("fill", "currentColor");
  path.setAttribute("fill-rule", "evenodd");
  image.append(path);
  return image;
}
