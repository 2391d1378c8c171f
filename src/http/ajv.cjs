// ajv, read at the first request that has to be checked. A file of this form is followed by esbuild, and loaded at once.
let ajv;
module.exports = () => {
  ajv ??= require('ajv');
  return ajv;
};
