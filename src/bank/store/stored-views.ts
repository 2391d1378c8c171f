/** The check of responses that are stored as views, for the audit and for imported images. */
import { VIEWS } from '../model/views.ts';

const CASES = Object.entries(VIEWS).flatMap(([version, views]) =>
  Object.entries(views).map(([view, resource]) => `WHEN '${version}:${view}' THEN '${resource}'`),
);

/**
 * True for an idempotency key whose view does not exist in its version, or whose fact is missing or has another
 * resource.
 */
export const SHOWS_NO_FACT = `view <> '' AND (SELECT resource FROM facts WHERE seq = fact_seq) IS NOT
  CASE substr(key, 1, 3) || view ${CASES.join(' ')} END`;
