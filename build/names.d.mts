/** Changes the files of a bundle, by their paths. */
export function nameWhileEvaluating(files: readonly string[]): void;
