// The types are those of the ES modules, which all other files import.
export declare const core: typeof import('drizzle-orm', { with: { 'resolution-mode': 'import' }});
export declare const columns: typeof import('drizzle-orm/sqlite-core', { with: {
  'resolution-mode': 'import',
}});
export declare const driver: typeof import('drizzle-orm/better-sqlite3', { with: {
  'resolution-mode': 'import',
}});
