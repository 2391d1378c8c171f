/** A number of things in a message: `1 sandbox`, `2 sandboxes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
