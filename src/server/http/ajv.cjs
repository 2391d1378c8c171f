// Loads ajv at the first request that has to be validated. esbuild follows a file of this form.
let ajv;
module.exports = () => {
  ajv ??= require('ajv');
  return ajv;
};
