/** Libraries that some screens need, each in a separate file that is loaded with the first of these screens. */
import { useLayoutEffect, useState } from 'preact/hooks';

const LIBRARIES = {
  uplot: () => import('uplot').then((module) => module.default),
  dagre: () => import('@dagrejs/dagre'),
} as const;
type Libraries = { [name in keyof typeof LIBRARIES]: Awaited<ReturnType<(typeof LIBRARIES)[name]>> };

const loaded: Partial<Libraries> = {};

async function load<N extends keyof Libraries>(name: N): Promise<void> {
  loaded[name] = (await LIBRARIES[name]()) as Libraries[N];
}

/** A library; `undefined` until it is loaded. */
export function useLibrary<N extends keyof Libraries>(name: N): Libraries[N] | undefined {
  const [, draw] = useState(0);
  const library = loaded[name];
  useLayoutEffect(() => {
    if (library === undefined)
      load(name).then(
        () => draw((value) => value + 1),
        () => {},
      );
  }, [name]);
  return library;
}
