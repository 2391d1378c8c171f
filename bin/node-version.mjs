// Says whether a Node can run Sandbank, whose sources are TypeScript that Node itself strips.
// Everything here must parse in Node 14: somebody with an old Node has to get a sentence, not a syntax error.

/** What is wrong with this Node and what to do, in one line; null when it runs Sandbank. `root` is the folder of the sources, if they are there. */
export function nodeProblem(version, root) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const major = parts[0];
  const minor = parts[1];
  // 23 got type stripping without a flag only in 23.6, after 22.18 would let it pass.
  const first = major === 23 ? 6 : 18;
  if (major > 23 || (major >= 22 && minor >= first)) return null;
  const remedy =
    root === null
      ? 'Install Node 24.'
      : `Run "npm ci" and then "npm start" in ${root}, which use the Node pinned there, or install Node 24.`;
  return `sandbank: this is Node ${version}, and Sandbank needs Node 22.18 or newer (but not 23.0 to 23.5). ${remedy}`;
}
