// Rewrites code of dependencies that loads a file in a way that a bundler cannot follow, or loads parts that this
// program never uses. A rewrite that finds nothing to replace fails, so that a changed dependency is noticed in the
// build.
import { readFileSync } from 'node:fs';

const REWRITES = [
  {
    // pdfkit's fonts are separate modules. A statement uses two of them and no images, so the other fonts and the
    // parsers of fonts and images are excluded.
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
    // The SDK contains a copy of ajv. `sandbank mcp` passes its own validator (cli/mcp/server.ts).
    file: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]ajvProvider-\w+\.mjs$/,
    steps: [
      [
        /^[\s\S]*(export \{ AjvJsonSchemaValidator as \w+, addFormats as \w+, Ajv as \w+ \};)[\s\S]*$/,
        "class AjvJsonSchemaValidator { getValidator() { throw new Error('give a validator'); } } const addFormats = undefined, Ajv = undefined; $1",
      ],
    ],
  },
  {
    // All processors with binaries of Node 22 and better-sqlite3 have SIMD, so the other build is excluded.
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
    // Fastify uses three of semver's functions.
    file: /fastify[\\/]lib[\\/]plugin-utils\.js$/,
    steps: [
      [
        /^const semver = require\('semver'\)$/m,
        "const semver = { gt: require('semver/functions/gt'), coerce: require('semver/functions/coerce'), satisfies: require('semver/functions/satisfies') };",
      ],
    ],
  },
  {
    // Drizzle's relations load all column types of PostgreSQL for the class of a primary key.
    file: /drizzle-orm[\\/]relations\.cjs$/,
    steps: [[/require\("\.\/pg-core\/primary-keys\.cjs"\)/, 'require("./sqlite-core/primary-keys.cjs")']],
  },
  {
    // Excludes tracing, which is not used.
    file: /prom-client[\\/]lib[\\/]metrics[\\/]processCpuTotal\.js$/,
    steps: [
      [
        /^const OtelApi = require\('@opentelemetry\/api'\);$/m,
        'const OtelApi = { context: { active() {} }, trace: { getSpan() {} } };',
      ],
    ],
  },
];

/** The esbuild plugin that applies the rewrites. */
export const rewrites = {
  name: 'rewrites',
  setup(build) {
    for (const { file, steps } of REWRITES) {
      build.onLoad({ filter: file }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const [from, to] of steps) {
          if (contents.search(from) < 0) throw new Error(`${path} does not contain ${from}`);
          contents = contents.replace(from, to);
        }
        return { contents };
      });
    }
  },
};
