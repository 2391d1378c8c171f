/** What stands in addresses until somebody publishes the project. */
export const PLACEHOLDER: string;
/** The files with such addresses. */
export const FILES: readonly string[];
