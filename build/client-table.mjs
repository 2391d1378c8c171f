// The client needs of each operation its method and its path, and not the server that the list of them is made of.
export const clientTable = {
  name: 'client-table',
  setup(build) {
    build.onLoad({ filter: /client[\\/]table\.ts$/ }, async () => {
      const { TABLES } = await import('../src/client/table.ts');
      return { loader: 'js', contents: `export const TABLES = ${JSON.stringify(TABLES)};` };
    });
  },
};
