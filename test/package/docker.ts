/** A replacement for Docker without an engine. */
import { join } from 'node:path';
import { ROOT } from './support.ts';

/**
 * Instead of `docker`: a container is a process of the same program with the settings of the image, its folders are
 * in one of the test's, and its port is a free one on loopback. There the control plane requires a token only if one
 * is set.
 */
export function dockerStandIn(
  folder: string,
  imageSettings: Readonly<Record<string, string | undefined>>,
): string {
  const settings = {
    ...imageSettings,
    SANDBANK_HOST: '127.0.0.1',
    SANDBANK_PORT: '0',
    SANDBANK_DATA: join(folder, 'data'),
    // The image has the folder, which is empty.
    SANDBANK_SEED_FILE: join(folder, 'seed'),
    SANDBANK_READY_FILE: join(folder, 'sandbank.json'),
    SANDBANK_CONTROL_TOKEN: 'a-token-that-it-made',
  };
  const assignments = Object.entries(settings).map(([name, value]) => `'${name}=${value}'`);
  return `#!/usr/bin/env bash
set -euo pipefail
# Of the caller's variables a container has none.
sandbank() { env -i "PATH=$PATH" ${assignments.join(' ')} '${process.execPath}' '${ROOT}bin/sandbank.mjs' "$@"; }
word=$1
shift
case "$word" in
  build) test -f '${ROOT}Dockerfile' ;;
  run)
    detached=false
    while [ "$1" != sandbank ]; do
      case "$1" in
        --detach) detached=true ;;
        --rm | --read-only) ;;
        --name | --publish | --tmpfs | --cap-drop | --security-opt) shift ;;
        *) echo "unknown option $1" >&2; exit 125 ;;
      esac
      shift
    done
    shift
    [ $# -gt 0 ] || set -- start
    if [ $detached = false ]; then sandbank "$@"; exit; fi
    sandbank "$@" > '${folder}/log' 2>&1 &
    echo a-container
    ;;
  exec) test "$1 $2" = 'bank sandbank'; shift 2; sandbank "$@" ;;
  logs) cat '${folder}/log' ;;
  inspect) sandbank healthcheck && echo healthy || echo starting ;;
  stop) kill "$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).pid' '${folder}/sandbank.json')" ;;
  rm) ;;
  *) echo "unknown command $word" >&2; exit 125 ;;
esac
`;
}
