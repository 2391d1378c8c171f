/** The types of `tools.mjs`. */
export const TOOL_FOLDERS: readonly string[];
export function installTools(folder: string): string;
export function importTool(folder: string, name: string): Promise<unknown>;
