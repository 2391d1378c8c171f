/** Bytes that are no image of a bank; the message says what is wrong with them. */
export class ImageError extends Error {}
