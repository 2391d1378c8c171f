/** The error for bytes that are not a valid image of a bank; the message names the problem. */
export class ImageError extends Error {}
