// Drizzle's CommonJS build. Its ES modules take five times the time and four times the memory to load. esbuild follows
// a file of this form, so the bundle contains the build that the tests use (docs/decisions/0002-drizzle.md).
exports.core = require('drizzle-orm');
exports.columns = require('drizzle-orm/sqlite-core');
exports.driver = require('drizzle-orm/better-sqlite3');
