// The types are those of the ES module.
declare const luxon: () => typeof import('luxon', { with: { 'resolution-mode': 'import' }});
export = luxon;
