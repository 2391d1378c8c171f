/** The placeholder for the owner in addresses until the project is published. */
export const PLACEHOLDER: string;
/** The files with such addresses. */
export const FILES: readonly string[];
