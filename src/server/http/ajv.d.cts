declare const ajv: () => typeof import('ajv');
export = ajv;
