/**
 * Builds the file system of the image without an engine: executes the instructions of the Dockerfile in order, each
 * stage in a separate folder as its root. Unknown instructions fail.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { environment } from './support.ts';

export interface Image {
  /** The folder used as the root. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

interface Stage {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly lists: Record<string, string[]>;
}

/** Folders of the image that its scripts name; in a script they are below the root. */
const PATHS = /(?<=^|[\s"'=(])\/(?=(?:app|data|seed|usr\/local\/bin)(?:[\s/"']|$))/g;

const pairsOf = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, plain = '']) => [
    name,
    quoted ?? plain,
  ]);

/**
 * Builds the last stage of the Dockerfile of a checkout, below `into`. `lend` may execute an `npm ci` in another way.
 */
export function buildImage(
  checkout: string,
  into: string,
  lend: (command: string, folder: string) => boolean = () => false,
): Image {
  const seen = readFileSync(join(checkout, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const lines = readFileSync(join(checkout, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of lines) {
    const [, word = '', rest = ''] = /^\s*([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === 'ARG') continue;
    if (word === 'FROM') {
      const name = /AS (\w+)$/.exec(rest)?.[1] ?? 'last';
      stage = { root: join(into, name), workdir: '/', env: {}, labels: {}, lists: {} };
      stages.set(name, stage);
      for (const folder of ['usr/local/bin', 'tmp']) mkdirSync(join(stage.root, folder), { recursive: true });
      continue;
    }
    if (stage === undefined) throw new Error(`${line} comes before a stage`);
    const folder = join(stage.root, stage.workdir);
    switch (word) {
      case 'WORKDIR':
        stage.workdir = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENV':
        Object.assign(stage.env, Object.fromEntries(pairsOf(rest)));
        break;
      case 'LABEL':
        Object.assign(stage.labels, Object.fromEntries(pairsOf(rest)));
        break;
      case 'COPY': {
        const [, from, sources = '', target = ''] = /^(?:--from=(\w+) )?(.*) (\S+)$/.exec(rest) ?? [];
        const source = from === undefined ? checkout : stages.get(from)?.root;
        if (source === undefined) throw new Error(`${line}: no such stage`);
        const names = sources
          .split(' ')
          .flatMap((pattern) => globSync(pattern.replace(/^\//, ''), { cwd: source }));
        for (const name of names) {
          if (from === undefined && !seen.includes(name))
            throw new Error(`${line}: .dockerignore hides ${name}`);
          const isInto = target.endsWith('/') || names.length > 1 || existsSync(join(folder, target));
          const place =
            isInto && !statSync(join(source, name)).isDirectory() ? join(target, basename(name)) : target;
          mkdirSync(dirname(join(folder, place)), { recursive: true });
          cpSync(join(source, name), join(folder, place), { recursive: true, preserveTimestamps: true });
        }
        break;
      }
      case 'RUN':
        runScript(rest, folder, stage, lend);
        break;
      case 'ENTRYPOINT':
      case 'CMD':
        stage.lists[word] = JSON.parse(rest);
        break;
      case 'HEALTHCHECK':
        stage.lists[word] = JSON.parse(rest.slice(rest.indexOf('[')));
        break;
      // Users, ports and volumes belong to the engine.
      case 'USER':
      case 'VOLUME':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${line}: this instruction is not known`);
    }
  }
  const last = stages.get('last');
  if (last === undefined) throw new Error('the Dockerfile has no last stage');
  const { root, env, labels, lists } = last;
  const list = (name: string): string[] => lists[name] ?? [];
  return {
    root,
    env,
    labels,
    entrypoint: list('ENTRYPOINT'),
    cmd: list('CMD'),
    healthcheck: list('HEALTHCHECK'),
  };
}

/**
 * Runs the parts of a script that `&&` joins. Only root can change the owner of files, so this is not done.
 */
function runScript(
  script: string,
  folder: string,
  stage: Stage,
  lend: (command: string, folder: string) => boolean,
): void {
  for (const part of script.split(/\s+&&\s+(?=\S)/)) {
    if (part.startsWith('chown ') || lend(part, folder)) continue;
    const command = part.replaceAll(PATHS, `${stage.root}/`);
    execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder,
      env: environment(process.execPath, stage.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
