// Writes the page into the folder that is given: one script of all sources, and
// the files of public/. The same sources and lock file give the same bytes.
//
//   node bundle.mjs FOLDER

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync,
         statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2]);
const gzip_bytes_max = 120 * 1024;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: ["src/main.tsx"],
  outfile: path.join(folder, "app.js"),
  bundle: true, minify: true, format: "iife", target: "es2022",
  legalComments: "eof", charset: "ascii",
  jsx: "automatic", jsxImportSource: "preact", logLevel: "warning" });
for (const name of readdirSync(path.join(here, "public")))
  copyFileSync(path.join(here, "public", name), path.join(folder, name));
const names = readdirSync(folder).sort();
const sent = names.map((name) =>
  gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length);
const all = sent.reduce((sum, one) => sum + one, 0);
for (const [i, name] of names.entries())
  console.log(`${name}: ${statSync(path.join(folder, name)).size} bytes, `
              + `${sent[i]} in gzip`);
if (all > gzip_bytes_max) {
  console.error(`the page has ${all} bytes in gzip; ${gzip_bytes_max} are the `
                + "most");
  process.exit(1);
}
