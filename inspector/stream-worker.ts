/** The shared worker with the event stream of all visible tabs. */
import { createHub, type ToHub } from './stream-hub.ts';

const hub = createHub();

// The types of a page do not have it.
addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const take = hub.connect((message) => port.postMessage(message));
  port.onmessage = ({ data }: MessageEvent<ToHub>) => take(data);
});
