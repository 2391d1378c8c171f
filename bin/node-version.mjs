// Checks whether a Node can run Sandbank, whose sources are TypeScript that Node itself strips.
// This file must parse in Node 14, so that an old Node prints a message and not a syntax error.

/** The problem of this Node and its solution, in one line; null if it runs Sandbank. `root` is the folder of the sources, if they exist. */
export function nodeProblem(version, root) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const major = parts[0];
  const minor = parts[1];
  // Node 23 strips types without a flag only since 23.6, so the check for 22.18 is not sufficient.
  const first = major === 23 ? 6 : 18;
  if (major > 23 || (major >= 22 && minor >= first)) return null;
  const remedy =
    root === null
      ? 'Install Node 24.'
      : `Run "npm ci" and then "npm start" in ${root}, which use the Node pinned there, or install Node 24.`;
  return `sandbank: this is Node ${version}, and Sandbank needs Node 22.18 or newer (but not 23.0 to 23.5). ${remedy}`;
}
