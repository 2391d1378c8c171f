// The agent of undici alone: with fetch, caches and web sockets it would take three times the time and twice the memory.
module.exports = require('undici/lib/dispatcher/agent.js');
