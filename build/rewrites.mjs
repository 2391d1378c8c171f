// Where a source asks for a file in a way that a bundle cannot follow, it is asked for in one that it can. Each of these
// must find what it replaces: a dependency that was changed is noticed here and not when the program runs.
import { readFileSync } from 'node:fs';

/** `const { a: b } = require('c')` as an import. */
const importOf = (_, names, from) => `import ${names.replaceAll(': ', ' as ')} from ${from};`;

const REWRITES = [
  {
    // The sources ask for Drizzle's CommonJS build; in a bundle its ES modules are the smaller, as what is unused falls away.
    file: /store[\\/]drizzle\.ts$/,
    steps: [
      [/^const require = .*$/m, ''],
      [/^export const (\w+) = require\(('[^']+')\)[^;]*;/gm, 'import $1 from $2; export { $1 };'],
      [/^export const (\{[^}]*\}) =\s*require\(('[^']+')\)[^;]*;/gm, 'export $1 from $2;'],
    ],
  },
  {
    file: /model[\\/]columns\.ts$/,
    steps: [
      [/^const require = .*$/m, ''],
      [/^const (\{[^}]*\}) =\s*require\(('[^']+')\)[^;]*;/gm, importOf],
    ],
  },
  {
    file: /(delivery[\\/]sender-worker|kit[\\/]trust)\.ts$/,
    steps: [[/createRequire\(import\.meta\.url\)\(/, 'require(']],
  },
  {
    // Its fonts are modules beside it.
    file: /pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/,
    steps: [[/require\$1\('#standard-fonts\/(\w+)'\)/g, "require('pdfkit/standard-fonts/$1')"]],
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
        return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents };
      });
    }
  },
};
