import { cleanUp } from './children.ts';
import { measureWebhooks } from './webhooks.ts';
process.once('exit', cleanUp);
console.log(await measureWebhooks(Number(process.argv[2] ?? 10)));
process.exit();
