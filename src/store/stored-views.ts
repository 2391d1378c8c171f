/** What the audit and the check of an imported image ask of answers that are stored as views. */
import { VIEWS } from '../model/views.ts';

const CASES = Object.entries(VIEWS).flatMap(([version, views]) =>
  Object.entries(views).map(([view, resource]) => `WHEN '${version}:${view}' THEN '${resource}'`),
);

/** Of an idempotency key: its answer is a view that its version does not have, or of a fact about something else, or of none. */
export const SHOWS_NO_FACT = `view <> '' AND (SELECT resource FROM facts WHERE seq = fact_seq) IS NOT
  CASE substr(key, 1, 3) || view ${CASES.join(' ')} END`;
