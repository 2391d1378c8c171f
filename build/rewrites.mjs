// Where a dependency loads a file in a way that a bundle cannot follow, or loads what this program never uses, the bundle
// changes it. Each rewrite must find what it replaces: a dependency that changed is noticed here and not when the program runs.
import { readFileSync } from 'node:fs';

const REWRITES = [
  {
    // Its fonts are modules beside it. A statement uses two of them and no picture, so neither the others nor the readers of
    // font files and pictures come along.
    file: /pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/,
    steps: [
      [/require\$1\('#standard-fonts\/(Helvetica(?:Bold)?)'\)/g, "require('pdfkit/standard-fonts/$1')"],
      [/^.*require\$1\('#standard-fonts\/\w+'\),?$/gm, ''],
      [
        /^import \{ create \} from 'fontkit';$/m,
        "const create = () => { throw new Error('the bundle has only Helvetica and Helvetica-Bold'); };",
      ],
      [/^import PNG from 'png-js';$/m, 'const PNG = undefined;'],
    ],
  },
  {
    // It has a copy of ajv. `sandbank mcp` gives a validator of its own (cli/mcp/server.ts).
    file: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]ajvProvider-\w+\.mjs$/,
    steps: [
      [
        /^[\s\S]*(export \{ AjvJsonSchemaValidator as \w+, addFormats as \w+, Ajv as \w+ \};)[\s\S]*$/,
        "class AjvJsonSchemaValidator { getValidator() { throw new Error('give a validator'); } } const addFormats = undefined, Ajv = undefined; $1",
      ],
    ],
  },
  {
    // Every processor for which Node 22 and better-sqlite3 have binaries has SIMD, so the other build stays out.
    file: /undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/,
    steps: [
      [/process\.env\.JEST_WORKER_ID \? require\('\.\.\/llhttp\/llhttp-wasm\.js'\) : undefined/, 'undefined'],
      [
        /llhttpWasmData \|\| require\('\.\.\/llhttp\/llhttp-wasm\.js'\)/,
        "require('../llhttp/llhttp_simd-wasm.js')",
      ],
    ],
  },
  {
    // Traces of spans beside the processor's time, which nobody here makes.
    file: /prom-client[\\/]lib[\\/]metrics[\\/]processCpuTotal\.js$/,
    steps: [
      [
        /^const OtelApi = require\('@opentelemetry\/api'\);$/m,
        'const OtelApi = { context: { active() {} }, trace: { getSpan() {} } };',
      ],
    ],
  },
  {
    // For a file of descriptions that is never given.
    file: /openapi-down-convert[\\/]lib[\\/]src[\\/]converter\.js$/,
    steps: [[/^const yaml = require\("js-yaml"\);$/m, '']],
  },
];

/** The plugin of esbuild that carries them out. */
export const rewrites = {
  name: 'rewrites',
  setup(build) {
    for (const { file, steps } of REWRITES) {
      build.onLoad({ filter: file }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const [from, to] of steps) {
          if (contents.search(from) < 0) throw new Error(`${path} holds nothing like ${from}`);
          contents = contents.replace(from, to);
        }
        return { contents };
      });
    }
  },
};
