// Builds the viewer's bundle into the Python package: viewer.js, viewer.css and the licences of the parts it holds.
// Usage: node build.mjs [--watch] [--out=FOLDER]

import { readFileSync, writeFileSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const asked = process.argv.find((argument) => argument.startsWith("--out="));
const out = asked ? asked.slice(6) : join(here, "../src/flexor/viewer/static");
mkdirSync(out, { recursive: true });

const options = {
  absWorkingDir: here,
  entryPoints: { viewer: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome105", "firefox105", "safari16.4"],
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  logLevel: "warning",
};

/** Names of the packages whose code stands in the bundle. */
function packages(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs))
    for (const [path, input] of Object.entries(output.inputs)) {
      const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
      if (found && input.bytesInOutput > 0) names.add(found[1]);
    }
  return [...names].sort();
}

/** The licences of these packages in one text, each with its name and version. */
function licences(names) {
  const parts = names.map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file; the bundle may not be handed on without it`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return "The viewer's bundle holds parts of these packages.\n\n" + parts.join(`\n${"-".repeat(80)}\n\n`);
}

if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  const { metafile } = await esbuild.build(options);
  writeFileSync(join(out, "licences.txt"), licences(packages(metafile)));
  const size = (name) => gzipSync(readFileSync(join(out, name))).length / 1000;
  console.log(`viewer: ${(size("viewer.js") + size("viewer.css")).toFixed(0)} kB gzipped in ${out}`);
}
