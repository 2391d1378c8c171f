// The reference of one document, ready to be tried: the default sandbox's key is filled in.
const place = document.getElementById('reference');
const view = window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => view.preauthorizeApiKey('api_key', 'test_default'),
});
