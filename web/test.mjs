// Bundles tests/*.test.ts and runs them with node's own test runner: npm test

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(join(here, "tests")).filter((file) => file.endsWith(".test.ts"));
const folder = mkdtempSync(join(tmpdir(), "flexor-test-"));
try {
  await esbuild.build({
    absWorkingDir: here,
    entryPoints: tests.map((file) => join("tests", file)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const files = readdirSync(folder).map((file) => join(folder, file));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
