// The types of node-version.mjs, which is plain JavaScript because an old Node has to parse it.

export function nodeProblem(version: string, root: string | null): string | null;
