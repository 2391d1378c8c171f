/**
 * The register of decisions: what this bank does where the platform's documents are silent or disagree, each with the
 * ground that it stands on. The code names a row as "row 24 of docs/fidelity.md"; that page is printed from here, so one
 * answer is changed in one place. What the server can be asked about is held against it in test/register.
 */

/**
 * What an answer rests on: a page of the platform, a published example only, a conclusion from either, or nothing.
 * Where a part of an answer has less ground than the rest, the answer says so.
 */
export type Grade = 'documented' | 'sample' | 'inferred' | 'invented';

export type Area = 'interface' | 'behaviour' | 'webhooks' | 'rails' | 'control';

export interface Decision {
  /** Never reused and never renumbered: comments and clients refer to it. */
  readonly number: string;
  readonly area: Area;
  readonly question: string;
  readonly answer: string;
  readonly grade: Grade;
}

export const FIDELITY: readonly Decision[] = [
  {
    number: '1',
    area: 'interface',
    question: 'What is served where?',
    answer:
      'One origin. The two generations are below `/v2` and `/v1`; what is ours is below `/_sandbox`, with `/livez` and `/readyz` beside it, the three OpenAPI documents below `/openapi`, and the pages for people below `/docs`. Any other path is 404 in the error body of what is ours.',
    grade: 'invented',
  },
  {
    number: '2',
    area: 'interface',
    question: 'Which status tells of success in v2?',
    answer:
      '201 where a POST creates, submits or originates; 200 for GET and PATCH, and for a POST that acts on a card or hands out a token; 204 without a body for DELETE.',
    grade: 'documented',
  },
  {
    number: '3',
    area: 'interface',
    question: 'Which status tells of success in v1?',
    answer:
      '201 for POST; 200 for GET, PATCH, DELETE and every test helper. Published for documents, ACH pulls, the card test and the webhook update; the others follow them. A PIN is set with 200 (row 175).',
    grade: 'documented',
  },
  {
    number: '4',
    area: 'interface',
    question: 'What is a key, and what happens without one?',
    answer:
      '`api-key` in v2 and `sd-api-key` in v1 are required: a missing or unknown key is 401, on unknown paths too. Ours: a key `test_<name>` opens the sandbox `<name>` (letters, digits, `_` and `-`, the first a letter or digit, at most 64), and `test_default` the one that is always there. Where `SANDBANK_SANDBOXES` is `closed`, other sandboxes are there only when they were created, each with a key that is drawn for it.',
    grade: 'documented',
  },
  {
    number: '5',
    area: 'interface',
    question: 'Is `sd-person-id` required?',
    answer:
      'No, as the field tables of v1 mark it; when it is sent it must name a person of the sandbox, else 404. With `SANDBANK_STRICT_PERSON_HEADER=on` a call without it is 400 `EC_PERSON_ID_HEADER_REQUIRED`, except on webhooks and on the creation of a person: that is the documented error.',
    grade: 'documented',
  },
  {
    number: '6',
    area: 'interface',
    question: 'What does an error of v2 look like?',
    answer:
      '`{request_id, client_id, method, status, error: {code, message, field_name}, created_at}`. `client_id` is empty in every published example; here it is the client of the sandbox, and empty on 401 only.',
    grade: 'documented',
  },
  {
    number: '7',
    area: 'interface',
    question: 'What does an error of v1 look like?',
    answer:
      'One flat object: `{requestId, method, status, code, message, sysMessage, programId, env, createdAt}`. The last three are not published; public clients have met them.',
    grade: 'documented',
  },
  {
    number: '8',
    area: 'interface',
    question: 'Which error codes has v2?',
    answer:
      'Published: 400 `ERROR_CODE_INVALID_FIELD` (with `field_name`), `ERROR_CODE_INVALID_PHONE`, `ERROR_CODE_INVALID_REQUEST_BODY`; 401 `ERROR_CODE_UNAUTHORIZED`; 404 `ERROR_CODE_RESOURCE_NOT_FOUND`; 409 `EC_QLDB_OCC_ERROR_RETRY`, which nothing here brings about by itself: a fault plays it. Ours, in their style: 405, 409 `ERROR_CODE_INVALID_STATE` for an illegal step, 410, 413, 415, 429, 500, 501.',
    grade: 'documented',
  },
  {
    number: '9',
    area: 'interface',
    question: 'Which error codes has v1?',
    answer:
      '`EC_<RESOURCE>_<REASON>` with the statuses of v2. Four codes are known from pages or clients and kept word for word; the list of the others is not public, so they are ours. `sysMessage` is the code without `EC_` in lower case, and the field at fault is named in `message`.',
    grade: 'invented',
  },
  {
    number: '10',
    area: 'interface',
    question: 'How strictly are values of a request read?',
    answer:
      'Nothing is coerced. An amount is a string of dollars and two decimals, without sign or leading zeros, greater than zero. The words `true` and `false` of v2 are also taken as JSON booleans; answers carry the words. v1 takes and gives JSON booleans. The amount of a filter may be a whole number (`minAmount=1`), as a public client sends it. What counts as not sent is row 260.',
    grade: 'inferred',
  },
  {
    number: '11',
    area: 'interface',
    question: 'What becomes of a body field or a query parameter that the operation does not know?',
    answer:
      'It is ignored, and the header `x-sandbox-hint` names it. With `SANDBANK_STRICT_FIELDS=on` it is refused with 400, except in an update for a field of the record that the update answers: so a record that was read can be sent back whole. `kyc`, `idv`, `kyb`, `members`, `pull_enabled` and `push_enabled`, which the platform prints in requests of v2, are known and change nothing where the bank decides them.',
    grade: 'invented',
  },
  {
    number: '12',
    area: 'interface',
    question: 'May a body be empty?',
    answer:
      'Yes, also with `content-type: application/json`: it counts as an object without fields, which is enough where nothing is required.',
    grade: 'sample',
  },
  {
    number: '13',
    area: 'interface',
    question: 'How are unset values written?',
    answer:
      'An unset text or time is `""`, an unset object or list `null`, metadata `null` until the first key is set; an empty control list is `[]` in v2 and `null` in v1. No field of a record is ever left out.',
    grade: 'sample',
  },
  {
    number: '14',
    area: 'interface',
    question: '`cardholder_id` or `card_holder_id`?',
    answer: 'v2 answers with both, because its table has the one and its examples the other.',
    grade: 'sample',
  },
  {
    number: '15',
    area: 'interface',
    question: 'What type has `has_more`?',
    answer: 'The words `"true"` and `"false"`, as the tables say; one example shows a JSON boolean.',
    grade: 'documented',
  },
  {
    number: '16',
    area: 'interface',
    question: 'How do lists page?',
    answer:
      'v2: newest first, `limit` 1 to 100 (25 unless sent), cursors that are the base64 of an id; a limit out of range, a cursor of no list or both cursors at once is 400, and `total` counts all pages. v1: newest first too, `offset` (0 unless sent) and `limit` with the same bounds, `{total, data}`; cash machines come the nearest first, and industries and kinds of events all at once.',
    grade: 'inferred',
  },
  {
    number: '17',
    area: 'interface',
    question: 'What is an id?',
    answer:
      'A prefix and 128 bits of a UUID version 7: 32 hexadecimal digits in v2, a dashed UUID in v1. Ours: either spelling is read wherever an id is read, but never the prefix of another kind.',
    grade: 'sample',
  },
  {
    number: '18',
    area: 'interface',
    question: 'How does idempotency work?',
    answer:
      "`idempotency-key` and `sd-idempotency-key` on POST and PATCH: the first answer, whatever it is (row 72 has the exceptions), is replayed for 24 hours of the sandbox's clock. It is stored in the transaction of its effect, so two requests at once have one effect. Ours: a different request under a used key gets the old answer, is not carried out, and is told so in `x-sandbox-hint`.",
    grade: 'documented',
  },
  {
    number: '19',
    area: 'interface',
    question: 'What of the operations that are documented and not emulated?',
    answer: "501 in the generation's own error body, never 404.",
    grade: 'invented',
  },
  {
    number: '20',
    area: 'behaviour',
    question: 'Do the two generations see the same things?',
    answer:
      'Yes. A holder of v2 is a person or business of v1, a counterparty is a contact, a sub account is an account, and a movement is a transaction in both and a transfer in v1. The suffix of the id is the same in both.',
    grade: 'invented',
  },
  {
    number: '21',
    area: 'behaviour',
    question: 'Which way does the status of a holder go?',
    answer:
      'From `pending_activation` to `activated` by a passed verification and OFAC check; between `activated` and `suspended`; to `deactivated`, which is final, from any other. Only the platform locks, here by the control plane, and an unlock goes back to the state before. A client may suspend, deactivate and activate again, but activates nobody whose verification has not passed (400). In v2 the wish has the words of the record, or those of an account, which the reference of the change prints: `open` activates, `blocked`, `credit_blocked` and `debit_blocked` suspend, `closed` deactivates; the answer has the words of the record, and `pending_activation` and `locked`, which only the platform gives, are no change where the holder has them and 409 otherwise, so that a record can be sent back as it was read. v1 calls the three `inactive`, `deactivated` and `active`.',
    grade: 'inferred',
  },
  {
    number: '22',
    area: 'behaviour',
    question: 'When are KYC and KYB of v2 decided?',
    answer:
      'In the call itself, and a KYB checks the members too. A `verification` that is sent with a new holder stands in for the check: `pass` activates at once and keeps the method and address that were sent, `fail` leaves the holder waiting.',
    grade: 'sample',
  },
  {
    number: '23',
    area: 'behaviour',
    question: 'When are KYC and KYB of v1 decided?',
    answer:
      'Later: the call answers `submitted`, the timetable decides (8 seconds in the profile `calendar`, as in the published example), and an event tells.',
    grade: 'sample',
  },
  {
    number: '24',
    area: 'behaviour',
    question: 'What decides a verification?',
    answer:
      'The first digit of the id number: 0 fails, 1 goes to review, 2 to 9 pass. A business is as good as the worst of itself and its members. Published for the SSN of v1; v2 and the numbers of businesses follow it.',
    grade: 'inferred',
  },
  {
    number: '25',
    area: 'behaviour',
    question: 'What if a KYB is asked for a person, or a KYC for a business?',
    answer: '400 on the field `type`.',
    grade: 'inferred',
  },
  {
    number: '26',
    area: 'behaviour',
    question: 'Which way does the status of a card go?',
    answer:
      'A virtual card opens at once; a physical one waits for its activation, which v2 shows as `locked` and v1 as `pendingActivation`. A client opens, blocks and closes; closed is final. Asking for the present status changes nothing; a closed card refuses another status and any controls (409), and a waiting one is not opened by an update.',
    grade: 'inferred',
  },
  {
    number: '27',
    area: 'behaviour',
    question: 'What does replacing a card do?',
    answer:
      'It makes a new card with a new number and closes the old one; a physical one waits for its activation.',
    grade: 'inferred',
  },
  {
    number: '28',
    area: 'rails',
    question: 'What if there is too little money to originate?',
    answer:
      'v2: 201 with a transaction in `declined`, nothing moved, and `transaction.status.declined` told, which is what its guide says of broken controls. v1: 400, and nothing is made, which is what its help says of limits. Limits of accounts: row 154.',
    grade: 'inferred',
  },
  {
    number: '29',
    area: 'rails',
    question: 'What if one side of a payment cannot take part?',
    answer:
      'A closed, blocked or locked account (or one that blocks the direction), or a counterparty that is not activated, did not pass OFAC, belongs to another account or has no details for the rail, is 400: v2 names the field. A counterparty that was deleted is 404.',
    grade: 'inferred',
  },
  {
    number: '30',
    area: 'rails',
    question: 'Is money on its way in part of the balance?',
    answer:
      'No. It is in `pending_credits` until the payment settles. A refund to a card is no such money: row 218.',
    grade: 'sample',
  },
  {
    number: '31',
    area: 'rails',
    question: 'When does money on its way out leave the balance?',
    answer:
      'At origination: it moves from `available_balance` to `pending_debits`, and leaves those at settlement, return or cancellation.',
    grade: 'sample',
  },
  {
    number: '32',
    area: 'rails',
    question: 'What of an incoming payment that the account cannot take?',
    answer:
      'It is received and then returned by the timetable: R01 for a debit beyond the balance, which the guide describes; R02 where the account is closed, blocked or locked, or blocks that direction, which is our reading.',
    grade: 'inferred',
  },
  {
    number: '33',
    area: 'rails',
    question: 'What does a return after settlement do to a spent balance?',
    answer:
      'It posts all the same. The account shows a negative balance until money comes in. That a settled ACH may still be returned is documented; the sign is our reading. How late it may be returned is row 241.',
    grade: 'inferred',
  },
  {
    number: '34',
    area: 'rails',
    question: 'In which order is a card authorization judged?',
    answer:
      "The card's state, that of its card holder, the account's state, the switch for cash machines and the PIN that a cash machine asks for, country, category, merchant, limit per transaction, amount of the period, count of the period, balance. The first refusal is the reason. A rule that declines (row 120) goes before all of these, and its word is the reason then. A client's real-time answer comes last, and nobody is asked where any of these refuses already.",
    grade: 'invented',
  },
  {
    number: '35',
    area: 'rails',
    question: 'What does v2 answer to a simulated authorization that is declined?',
    answer:
      '201 with a transaction of type `decline` in `declined`, balances unchanged. So it is with the simulation of v2, `POST /v2/simulate/incoming/card_issuing`, and with that of the control plane, `POST /_sandbox/simulate/cards/{card_id}/authorize`, which can name the merchant and answers the record of v2 as `transaction`.',
    grade: 'inferred',
  },
  {
    number: '36',
    area: 'rails',
    question: 'What does the card test of v1 answer to a decline?',
    answer:
      '200 with `declined` and a reason: `lowBalance` and `doNotHonor` are published, `cardInactive`, `cardCanceled`, `accountBlocked`, `pinNotSet`, `countryNotAllowed`, `categoryNotAllowed`, `merchantNotAllowed`, `perTransactionLimit`, `spendLimit` and `countLimit` are ours. The platform says that its test call does not enforce limits and categories; here it enforces every control, unless `card_controls_in_test` of `PUT /_sandbox/settings` is switched off: then it looks at balance, card and account only.',
    grade: 'invented',
  },
  {
    number: '37',
    area: 'rails',
    question: 'When does the period of a card limit begin?',
    answer:
      "In UTC on the sandbox's clock: at midnight, on the Monday of the ISO week, on the first of the month or of the year. Reversals, refunds and expiry give the amount back, whole ones the count too.",
    grade: 'inferred',
  },
  {
    number: '38',
    area: 'rails',
    question: 'What is an authorization that is never captured?',
    answer:
      'A hold that expires after 7 days and then frees the money, by a row as a reversal makes one (row 101): v1 shows the hold `settled`, as published, and v2 as `auth` in `pending`. The test call of v1 makes a hold that is captured instead: row 217. An update gives it a new total, a reversal gives it back, a refund is a credit of its own. The control plane captures, increments and expires one.',
    grade: 'invented',
  },
  {
    number: '39',
    area: 'behaviour',
    question: 'May a card have an allowed and a blocked list at once?',
    answer:
      'Not of merchants and not of categories: 400, judged on what the card would have after the change. The same for countries, which no page mentions.',
    grade: 'documented',
  },
  {
    number: '40',
    area: 'rails',
    question: 'When does a merchant match an entry of a list?',
    answer:
      'When the two are equal without regard to letter case and to spaces around them. Countries and categories are compared in the same way.',
    grade: 'inferred',
  },
  {
    number: '41',
    area: 'rails',
    question: 'When does an ACH move by itself?',
    answer:
      'Taken in a minute after it was made, or just before its window if that is sooner (the minute is ours), sent with the next window (05:15, 08:15, 12:15 and 16:15 Pacific on banking days, as documented), cleared and settled at 08:30 Eastern on the effective date. Same-day is for what came before 12:15, and later becomes an ordinary one: cleared at 16:00, settled at 17:00 Eastern. A pull is released at 08:30 Eastern two banking days after its effective date. The profile `fast` takes a second for each step, `manual` takes none.',
    grade: 'inferred',
  },
  {
    number: '42',
    area: 'rails',
    question: 'Which days are banking days?',
    answer:
      'The Federal Reserve\'s: Monday to Friday without its eleven holidays. A holiday on a Sunday closes the Monday after it; one on a Saturday leaves the Friday open, so 3 July 2026 is a banking day. The platform only says "banking days".',
    grade: 'inferred',
  },
  {
    number: '43',
    area: 'behaviour',
    question: 'What does a new account hold?',
    answer:
      'A sub account of v2 opens at 0.00, as documented. An account opened through v1 begins with 1000.00, as one example shows.',
    grade: 'sample',
  },
  {
    number: '44',
    area: 'rails',
    question: 'Do the published magic amounts of v1 work?',
    answer:
      'Yes, for ACH of v1 and nothing in v2, which publishes none. A pull of 50.00 to 99.99 is returned with R01, one of 100.00 or more is declined before it would be sent, one from the account `9999999999` is returned with R03. `magic_values` of `PUT /_sandbox/settings` switches them off. A push of exactly 99.99 is returned with R03, one of 1100.00 or more is declined before it would be sent.',
    grade: 'documented',
  },
  {
    number: '45',
    area: 'interface',
    question: 'What is behind the `url` of a document?',
    answer:
      'This server: for 900 seconds, as in the published example, whoever holds the link may PUT the file and GET it, without a key. An expired link is 410 and a forged one 404, in the error body of v1. The key that signs is no part of the bank (row 285).',
    grade: 'sample',
  },
  {
    number: '45a',
    area: 'behaviour',
    question: 'What does an update of controls replace?',
    answer: 'What it names: a list whole, a limit field by field. What it does not name stays.',
    grade: 'inferred',
  },
  {
    number: '45b',
    area: 'interface',
    question: 'How are the number and code of a card seen?',
    answer:
      'By a token, for 5 minutes: `GET /v2/issuing/card/{id}/show` with the header `show-token`, `GET /v1/card/{id}/show` and `GET /v2/card/{id}/show` with `sd-show-token`; from a page of any origin too (row 250). All numbers are test numbers.',
    grade: 'sample',
  },
  {
    number: '45c',
    area: 'interface',
    question: 'What does GET /v1/person answer?',
    answer: 'With `sd-person-id` that person, without it the list.',
    grade: 'inferred',
  },
  {
    number: '45d',
    area: 'behaviour',
    question: 'What becomes of deleted things?',
    answer:
      'A deleted contact of v1 is `deleted`, readable, and refuses an update with 404; so is a counterparty that v2 deactivated, except that it may be updated. A deleted webhook is 404 in v2 and `deleted` in v1.',
    grade: 'inferred',
  },
  {
    number: '45e',
    area: 'rails',
    question: 'How do the rails without a published life move?',
    answer:
      'RTP, FedNow and debit cards answer `originated` and settle with the next tick. Wires live as an ACH does and get IMAD and OMAD when they clear. A sent check settles when it is cashed, a deposited one after its hold. Money of other banks is simulated: on ACH and wires by v2 and by the control plane, on RTP and FedNow by the control plane alone.',
    grade: 'inferred',
  },
  {
    number: '46',
    area: 'interface',
    question: 'How does metadata change?',
    answer:
      'Key by key; an empty value removes its key. More than 20 keys or 4 KB is refused with 400 and changes nothing.',
    grade: 'documented',
  },
  {
    number: '47',
    area: 'webhooks',
    question: 'What is the envelope of v1?',
    answer:
      '`{eventType, programId, env: "test", data}`, where `data` is the record of v1 that the kind is about.',
    grade: 'documented',
  },
  {
    number: '48',
    area: 'webhooks',
    question: 'What is the envelope of v2?',
    answer:
      '`{id: "evt_...", event_type, client_id, env: "sandbox", created_at, data}`, where `data` is the record of v2. No document shows one.',
    grade: 'invented',
  },
  {
    number: '49',
    area: 'webhooks',
    question: 'How is a delivery signed?',
    answer:
      "Header `sd-webhook-sha256-signature`: HMAC-SHA256 of the raw body under the webhook's secret, documented for v1 and used for v2 as well; lower-case hexadecimal, as a public receiver reads it. Ours, with the same key: `webhook-id`, `webhook-timestamp` (real time) and `webhook-signature` of Standard Webhooks, whose libraries take the secret as `whsec_` and the base64 of its bytes.",
    grade: 'documented',
  },
  {
    number: '50',
    area: 'webhooks',
    question: 'When does a delivery count as made?',
    answer: 'On any 2xx within 10 seconds. Redirects are not followed.',
    grade: 'invented',
  },
  {
    number: '51',
    area: 'webhooks',
    question: 'When is a delivery tried again?',
    answer:
      "After 5 s, 30 s, 2 min, 10 min, 1 h and 6 h on the sandbox's clock, each up to a tenth shorter or longer by the sandbox's seed, then never. `Retry-After` can only make a wait longer, up to 6 hours. 410 deactivates the webhook; setting it active revives it, a deleted one stays deleted. So does failing for days: row 271.",
    grade: 'invented',
  },
  {
    number: '52',
    area: 'webhooks',
    question: 'In which order are deliveries made?',
    answer:
      'First attempts to one webhook begin in the order of what happened, up to 16 at a time (`SANDBANK_WEBHOOK_CONCURRENCY`). What is told of one thing never overlaps: an event waits for the answer to the one before it of the same thing, and events of other things pass it meanwhile. With 1 they go strictly one after the other. A receiver that answers within 50 ms has up to eight events of one thing waiting where they are sent, one of them under way. While payments come in as fast as the bank takes them fewer are begun. A retry goes when it is due and holds nothing up, and webhooks do not wait for one another.',
    grade: 'invented',
  },
  {
    number: '53',
    area: 'webhooks',
    question: 'What is kept for a webhook that is not active?',
    answer:
      'Nothing is queued for it. What happened stays in the log of the bank, and a replay of the control plane queues what was missed.',
    grade: 'inferred',
  },
  {
    number: '54',
    area: 'webhooks',
    question: 'Which version of the record does an event carry?',
    answer: "The record as it was when the thing happened, written in the webhook's own generation.",
    grade: 'inferred',
  },
  {
    number: '55',
    area: 'webhooks',
    question: 'What does each happening tell?',
    answer:
      'v2: `<noun>.created`, `<noun>.updated`, `<noun>.status.<new>`. v1: its catalogue of kinds, rail by rail, as `src/model/facts.ts` pairs them. A movement tells `account.credit` or `account.debit` when it changes the available balance. The kinds are published; which happening tells which is mostly concluded from their names.',
    grade: 'inferred',
  },
  {
    number: '56',
    area: 'rails',
    question: 'How are a return, a reversal, a cancellation and a late decline recorded?',
    answer:
      'Twice, in both generations: the original takes the new status, and a transaction of its own, settled at once, shows the money going back: type `return`, `reverse`, `cancel` or `decline`, the opposite direction, the original as parent, its title, and a description that begins with `Reversal for - `. v1 documents such rows; v2 only lists the words. A promised refund that is taken back is recorded so too. Where nothing was held or posted there is no second row.',
    grade: 'inferred',
  },
  {
    number: '57',
    area: 'rails',
    question: "When does a movement get its entry in the master account's books?",
    answer:
      'An incoming one when it arrives, an outgoing one when it settles, as the guide orders the two ledgers; v2 then shows it as `reconciled` with both ids. A row that takes settled money back has an entry of its own, one that only ends a hold has none. A payment between two sub accounts is reconciled from the start.',
    grade: 'inferred',
  },
  {
    number: '58',
    area: 'webhooks',
    question: 'Does a creation also tell the first status?',
    answer:
      'In v2 yes, where that kind exists: `sub_account.created` comes with `sub_account.status.open`. `transaction.status.originated` is no kind, so an origination tells `transaction.created` alone.',
    grade: 'invented',
  },
  {
    number: '59',
    area: 'webhooks',
    question: 'Which kind tells of a card that waits for its activation?',
    answer: '`card.status.locked`, the word under which v2 shows it.',
    grade: 'inferred',
  },
  {
    number: '60',
    area: 'webhooks',
    question: 'Which record does `account.credit` or `account.debit` carry when a payment is taken back?',
    answer:
      'The row of its own that took it back, so the money is told once; an authorization that expires has such a row as well. What the two carry otherwise is row 214.',
    grade: 'invented',
  },
  {
    number: '61',
    area: 'webhooks',
    question: 'What does a secret look like?',
    answer:
      '`sk_test_` and 32 hexadecimal digits for a webhook of v1, 32 letters and digits for one of v2, as their examples do.',
    grade: 'sample',
  },
  {
    number: '62',
    area: 'webhooks',
    question: 'Where is a secret shown?',
    answer:
      'In v2 only in the answer to the creation; in v1 only by `GET /v1/webhook/{id}/secret`, at any time. Ours: `GET /_sandbox` shows that of the webhook that the sandbox began with, `GET /_sandbox/webhooks` all of them.',
    grade: 'documented',
  },
  {
    number: '63',
    area: 'webhooks',
    question: 'Does each generation have webhooks of its own?',
    answer:
      'No. Both see all of them; the kinds, the envelope and the record of one are those of the generation that made it. v2 writes `active`, and `inactive` for every other state.',
    grade: 'invented',
  },
  {
    number: '64',
    area: 'webhooks',
    question: 'Which webhook does a sandbox begin with?',
    answer:
      'One of v1 with every kind. It is active where `SANDBANK_WEBHOOK_URL` is set and paused otherwise, and is told nothing of the founding.',
    grade: 'invented',
  },
  {
    number: '65',
    area: 'webhooks',
    question: 'Which addresses and kinds may be subscribed?',
    answer:
      'Any `http` or `https` address, this machine included; kinds of the own generation, any other being 400. v2 wants at least one kind, v1 takes an empty list.',
    grade: 'inferred',
  },
  {
    number: '66',
    area: 'webhooks',
    question: 'What becomes of waiting deliveries when their webhook changes?',
    answer:
      'Pausing keeps them, and resuming sends them. Deactivating and deleting give them up; one whose answer was under way still counts as delivered.',
    grade: 'invented',
  },
  {
    number: '67',
    area: 'webhooks',
    question: 'What is the id of an event?',
    answer:
      "Made of the happening's time and number, the generation, and the place of the kind among the kinds of that happening: the same at every attempt, and found again without a table. v1's envelope has no place for it; there it is in `webhook-id` only.",
    grade: 'invented',
  },
  {
    number: '68',
    area: 'webhooks',
    question: 'May an event come twice?',
    answer:
      'Yes: an answer that was not recorded before the process ended is asked for again. It has the same id.',
    grade: 'invented',
  },
  {
    number: '69',
    area: 'interface',
    question: 'What do `pendingDebit` and `pendingCredit` of a v1 account show?',
    answer:
      'The real counters of the ledger. The platform calls the two fields not in operation and shows zeros.',
    grade: 'invented',
  },
  {
    number: '70',
    area: 'interface',
    question: 'What if a path does not take the method?',
    answer: '405 with the header `allow`; a path that nobody knows is 404.',
    grade: 'invented',
  },
  {
    number: '71',
    area: 'interface',
    question: 'Where is the id of a request?',
    answer:
      'In the header `x-request-id` of every answer to a known key, and in the error body, each in the spelling of its generation.',
    grade: 'invented',
  },
  {
    number: '72',
    area: 'interface',
    question: 'Which answers does an idempotency key keep, and whose is it?',
    answer:
      'Refusals too, as documented, and among them 409, after which the platform asks for a new key: that holds where a fault plays it. Not 429, as documented; not 401, where nobody knows whose key it is, and not a failure of this server, so that the call can be made again. Ours: a key belongs to the sandbox and one generation, since the two answer in different shapes, and not to an operation.',
    grade: 'documented',
  },
  {
    number: '73',
    area: 'interface',
    question: 'What if a text is no id at all?',
    answer: 'It names nothing: the same 404 as an id that nobody has, in paths and in bodies.',
    grade: 'invented',
  },
  {
    number: '74',
    area: 'interface',
    question: 'May a person of v1 act on the account of another?',
    answer: 'Yes: `sd-person-id` must name a person, and is not compared with the owner of anything.',
    grade: 'invented',
  },
  {
    number: '75',
    area: 'interface',
    question: 'Are the published rate limits enforced?',
    answer:
      'Not unless `SANDBANK_RATE_LIMITS` is set: row 206. Without it 429 tells of one sandbox more than `SANDBANK_MAX_SANDBOXES` allows, or of a fault that was asked for.',
    grade: 'invented',
  },
  {
    number: '76',
    area: 'interface',
    question: 'What of HTTPS and the list of allowed addresses?',
    answer:
      'This server speaks plain HTTP and has no such list. The platform asks for HTTPS everywhere, and for the list in production only.',
    grade: 'invented',
  },
  {
    number: '77',
    area: 'interface',
    question: 'How large may an amount be?',
    answer:
      'At most 13 digits of dollars, and no counter of an account beyond 9007199254740991 cents: what exceeds either is 400 and moves nothing.',
    grade: 'invented',
  },
  {
    number: '78',
    area: 'interface',
    question: 'What is `updated_at` of a new record?',
    answer: 'The time of its creation. Some examples show that, others an empty text.',
    grade: 'sample',
  },
  {
    number: '79',
    area: 'interface',
    question: 'How does v1 spell states that only v2 has?',
    answer:
      'A holder that waits is `active`, because only its KYC says otherwise in v1; a suspended or locked one is `inactive`. A locked account is `blocked`, a blocked or locked card `inactive`. A check of v1 that is under way is a `review` in v2.',
    grade: 'inferred',
  },
  {
    number: '80',
    area: 'interface',
    question: 'What status has a payment in v1?',
    answer:
      'As a transfer: `completed` at once, or `pending` until settlement where money is on its way in, for wires and for instant rails; `waitingForFiles` for a new check deposit; one of those that fails is `declined` or `canceled`. As a transaction: `pending`, then `settled`, or `canceled` if the money never came; once settled it stays so, and a row of its own tells of the return. What never moved anything is `declined` (row 215). In review it is `pending` in both.',
    grade: 'inferred',
  },
  {
    number: '81',
    area: 'interface',
    question: 'What are `reviewCode` and `reviewMessage` of a payment that was returned or declined?',
    answer:
      'A word for R01, R02, R03, R04 and R13 (`insufficientFunds`, `accountClosed`, `accountNotFound`, `invalidAccountNumber`, `invalidRoutingNumber`), else the code itself. The message is the one that is published with the word (`invalidRoutingNumber`, `invalidCheckAddress`, `transferLimitExceeded`, `sendLimitExceeded`), or that of the return code, whoever brought it about: a rule, a simulation, the bank. Any other code has the text that was given with it. Of the five words above only the last is published.',
    grade: 'inferred',
  },
  {
    number: '82',
    area: 'interface',
    question: 'What title and description has a payment of v1?',
    answer:
      'The title that the client gave, whatever it says, and it is kept as it was sent. Where it gave none, the transfer has `""` and the transaction one in the words of the published examples (`Paid to`, `Received from`, a check\'s, the merchant\'s name). A purchase by card is described as `Spent <card> at <merchant>` until its client describes it, which only v2 can.',
    grade: 'sample',
  },
  {
    number: '83',
    area: 'interface',
    question: 'How does v1 show the limits of a card?',
    answer:
      'v1 has one amount and one period: a limit per transaction is shown where the card has no other. What is left of it, and how it is changed, is row 174.',
    grade: 'inferred',
  },
  {
    number: '84',
    area: 'interface',
    question: 'How does v1 show a payment on a rail that it never had?',
    answer: 'With `rtp` or `fednow` as `transferType`, and no object of the rail.',
    grade: 'invented',
  },
  {
    number: '85',
    area: 'interface',
    question: 'What is in the configuration of a v1 account?',
    answer:
      'All that the program allows, unless `PATCH /v1/account/{id}` has changed it: which ways are switched on, the limits, how many cards, who may pull. Rows 152 to 155 say what each part does.',
    grade: 'inferred',
  },
  {
    number: '86',
    area: 'interface',
    question: 'What do the details of a KYC or KYB say in v2?',
    answer:
      'Each says what the whole check says, with no reasons; until the check has begun they are empty. The check of an identity document is row 132.',
    grade: 'inferred',
  },
  {
    number: '87',
    area: 'behaviour',
    question: 'Who fails the OFAC screening?',
    answer: 'Nobody: holders, card holders and counterparties all pass, at the time of their creation.',
    grade: 'invented',
  },
  {
    number: '88',
    area: 'behaviour',
    question: 'Which id numbers must be unique?',
    answer:
      "Those of persons among persons and those of businesses among businesses, and a business's members among each other; a repetition is 400. Exempt are the numbers that v1 publishes as reusable (`099999999`, `199999999`, `999999999` and their last four). Members are not compared with other businesses.",
    grade: 'documented',
  },
  {
    number: '89',
    area: 'behaviour',
    question: 'What does a verification need?',
    answer:
      'In v2 nothing: an id number without digits, or none, passes, and a check may be asked for again and is decided anew. What v1 needs is row 131. A holder that was activated stays so.',
    grade: 'invented',
  },
  {
    number: '90',
    area: 'behaviour',
    question: 'Who may have an account?',
    answer:
      'An activated holder; for any other it is refused with 400. The rule is documented, the error is ours. In v1 a person or business that still waits is refused likewise, because it is the same holder.',
    grade: 'documented',
  },
  {
    number: '91',
    area: 'behaviour',
    question: 'Which numbers do accounts and cards get?',
    answer:
      'Accounts: `95000000` and 8 digits. Cards: `40000200` and 8 digits, so that the whole passes the Luhn check. The digits come from the seed.',
    grade: 'invented',
  },
  {
    number: '92',
    area: 'behaviour',
    question: 'What does a new card have that nobody asked for?',
    answer:
      'A product by the kind of its holder (`business_spend` or `consumer_debit`), four years of validity, no limits, and cash machines switched on, which is documented. A physical one is expected ten days later.',
    grade: 'invented',
  },
  {
    number: '93',
    area: 'behaviour',
    question: 'What may an update of a contact change?',
    answer:
      "Its name, email, phone, metadata and rails; `label` keeps its first value, as published. A rail that is sent replaces that rail whole, `null` takes it away, and new bank details are unverified; those that the contact has already stay as verified as they were. `accountId` may be sent if it is the contact's own, else 400.",
    grade: 'inferred',
  },
  {
    number: '94',
    area: 'behaviour',
    question: 'Which account of this bank may be a counterparty?',
    answer:
      'Any but the own one, found by its number or its id; for a contact of type `others` also none of the same holder. Both are 400, and an unknown number too.',
    grade: 'documented',
  },
  {
    number: '95',
    area: 'behaviour',
    question: 'Which bank belongs to a routing number?',
    answer:
      'The name in a table of some two hundred real routing numbers; for any other with a good check digit the name stays empty. Row 160 says which are good.',
    grade: 'invented',
  },
  {
    number: '96',
    area: 'rails',
    question: 'Who is the merchant of a card test that names none?',
    answer:
      'Always the same one of ours: Corner Market in San Francisco, category 5411. What a test leaves out of its merchant is filled from it, and `authMethod` is `other`.',
    grade: 'invented',
  },
  {
    number: '97',
    area: 'rails',
    question: 'What makes a card test of v1 a withdrawal from a cash machine?',
    answer:
      'The merchant category 6011; the call has no other word for it. Without a PIN that was set it is declined.',
    grade: 'invented',
  },
  {
    number: '98',
    area: 'rails',
    question: 'What is checked when an authorization gets a new total?',
    answer:
      'The limits of the card, by which the authorization is not counted twice, and the balance; a smaller total is not checked. What is refused is a decline of its own and leaves the authorization as it was; the same total changes nothing. A total that is no more than what was reversed already is 400: row 216.',
    grade: 'inferred',
  },
  {
    number: '99',
    area: 'rails',
    question: 'How much of an authorization or purchase can be given back?',
    answer:
      'A reversal: all that is held, which ends it as `reversed`, or a part, which leaves the rest held (row 216); more is 400. A refund: all refunds of one purchase together no more than the purchase, if one is named, else 400. A refund settles at once, and one that completes a captured purchase makes it `refunded`.',
    grade: 'inferred',
  },
  {
    number: '100',
    area: 'rails',
    question: 'On which day does the use of a card count?',
    answer:
      'On the UTC day of its authorization. What is reversed or refunded is taken from that day, not from the day of the refund. An authorization that expires gives its use back too: the amount, and the count unless a part was captured.',
    grade: 'invented',
  },
  {
    number: '101',
    area: 'rails',
    question: 'How is the end of an authorization recorded?',
    answer:
      'As `reversed`, and by a row of its own (`reverse`, a credit of what was still held, with the parent), whether it was reversed or expired: v1 publishes that a reversal is one voided or not captured in time, and tells `card.reversal` of both. v2 shows the same row. `network_settlement_at` of it is empty, since the network settles nothing.',
    grade: 'documented',
  },
  {
    number: '102',
    area: 'rails',
    question: 'How is a payment between two sub accounts recorded?',
    answer:
      "As one transfer in the books and two settled transactions: the caller's, `outgoing`, and the other account's, `incoming`, with the caller as its counterparty. A declined one is the caller's alone.",
    grade: 'inferred',
  },
  {
    number: '103',
    area: 'rails',
    question: 'What does an incoming payment hold that will be returned?',
    answer:
      'Nothing: the balances stay as they are, and its return is a status without a row of its own. So it is with what a rule sends back in the very call in which v1 tests it; what a rule sends back later is held until then. v1 shows it as `declined` from the start (row 215), and as settled from the moment at which somebody settles it all the same.',
    grade: 'invented',
  },
  {
    number: '104',
    area: 'rails',
    question: 'Does a payment under way stop when its account or counterparty does?',
    answer: 'No. Both are judged when the payment is made, and not again.',
    grade: 'invented',
  },
  {
    number: '105',
    area: 'rails',
    question: 'What do references look like?',
    answer:
      "A trace number is the other bank's routing number and 5 digits, given when an ACH clears or arrives, as in the examples. IMAD and OMAD are 9 letters and digits. A check has 4 digits.",
    grade: 'sample',
  },
  {
    number: '106',
    area: 'rails',
    question: 'What does an ACH show as `same_day`?',
    answer: 'What was asked for, also when it came too late and goes as an ordinary one.',
    grade: 'invented',
  },
  {
    number: '107',
    area: 'rails',
    question: 'What does an incoming ACH say of itself?',
    answer:
      'Same-day, effective on the day that such an ACH would post, with the entry description `Payment`.',
    grade: 'sample',
  },
  {
    number: '108',
    area: 'rails',
    question: 'What if a client asks for an effective date?',
    answer:
      'It can only make the ACH later: an earlier date is passed over, and one on which the banks are closed becomes the next banking day.',
    grade: 'inferred',
  },
  {
    number: '109',
    area: 'rails',
    question: 'What happens at exactly a cut-off?',
    answer:
      'An ACH that arrives at 12:15:00.000 Pacific has missed the window and the same day: a window carries what came before it. A wire at exactly 12:00 still leaves the same day; the wire network has closed at exactly 16:00.',
    grade: 'inferred',
  },
  {
    number: '110',
    area: 'rails',
    question: 'When does a wire move by itself?',
    answer:
      'Taken in after a minute, sent at once from 06:00 to 12:00 Pacific on banking days, else at the next opening; cleared and settled 30 minutes after each other while the network is open, which it is until 16:00. An incoming one settles at once in that time. Noon and 16:00 are documented, the rest is ours.',
    grade: 'invented',
  },
  {
    number: '111',
    area: 'rails',
    question: 'When does a check move by itself?',
    answer:
      'A sent one is mailed two banking days after it was ordered and cashed five later. A deposited one leaves with the file of 16:00 Pacific, which v1 describes, and is good three banking days after that.',
    grade: 'inferred',
  },
  {
    number: '112',
    area: 'rails',
    question: 'What if a payment comes late to a planned instant?',
    answer:
      'The step is taken at once: no step is earlier than the one before it. A payment in review stands still until it is approved, and then goes on from there. What an ACH that was held up shows as its effective date is row 242.',
    grade: 'invented',
  },
  {
    number: '113',
    area: 'rails',
    question: 'Which holidays has a year long past or far ahead?',
    answer: "Today's eleven, by today's rules.",
    grade: 'invented',
  },
  {
    number: '114',
    area: 'rails',
    question: 'What is a wall time that comes twice, or never?',
    answer:
      'When clocks go back, the first of the two; when they go forward, a skipped time counts as an hour later. Windows are read on Pacific clocks and settlement on Eastern ones.',
    grade: 'invented',
  },
  {
    number: '115',
    area: 'control',
    question: 'What if the bank was asleep when a step was due?',
    answer:
      'It catches up when it wakes, step by step and in order, and every record says the instant for which the step was planned. A step that cannot be taken is logged and left out.',
    grade: 'invented',
  },
  {
    number: '116',
    area: 'control',
    question: 'Where does chance come from?',
    answer:
      'From one sequence for each sandbox, made from `SANDBANK_SEED`: the same seed and the same calls at the same instants give the same answers, but for secrets (row 284). Every call draws the id of its request, reads too.',
    grade: 'invented',
  },
  {
    number: '117',
    area: 'control',
    question: 'What does a sandbox begin with?',
    answer:
      'Two persons, a business that still waits for its KYB, two accounts with 5000.00 and 2500.00, an ACH and an intra-account counterparty, a virtual and a physical card, and the webhook of row 64. Beside them stands what the examples of the reference need, so that each runs as it stands: a vendor who can be paid on every rail, a person and a business that wait, a family, a member, documents, an attachment, a payer with a settled transfer of each kind of v1, a check that waits for its images, 100.00 that wait on the master account, and tokens until 2099. All is made by the same verbs as a client would use, and nothing is under way. Every sandbox begins as a copy, with the same ids and secrets of its own (row 285); with a data directory also after a restart (row 252).',
    grade: 'invented',
  },
  {
    number: '118',
    area: 'control',
    question: 'How does what is ours say no?',
    answer:
      "`{error: {code, message, hint}}`, with the bank's own code and the statuses of the two generations.",
    grade: 'invented',
  },
  {
    number: '119',
    area: 'control',
    question: 'Which files are taken?',
    answer:
      'Any type up to 10 MB; a second upload replaces the first. A download is always an attachment, so no browser runs it.',
    grade: 'invented',
  },
  {
    number: '120',
    area: 'rails',
    question: 'Who decides what becomes of a payment?',
    answer:
      'Whoever is asked first: a simulate call, which simply happens (an ACH return within its window, row 241) and takes the place of what was planned; the first rule that fits and whose outcome the rail knows; the magic values; the bank. A rule without an outcome is the ordinary course and shuts magic values out. A rule can refuse what the bank would allow, and never allow what a control refuses.',
    grade: 'invented',
  },
  {
    number: '121',
    area: 'rails',
    question: 'May a capture be refused?',
    answer:
      'Not for lack of money or by a control: it posts and may overdraw, because the network has promised it to the merchant. What differs from the hold is a row of its own, of type `adjust`. A capture that is not final takes its part and keeps the rest held: the row of the authorization is smaller by the part then, which `transaction.updated` tells, and no account is told of money, as none has moved.',
    grade: 'invented',
  },
  {
    number: '122',
    area: 'rails',
    question: 'What is the refund of an authorization that is still held?',
    answer:
      'The card test of v1, which shows a hold as settled, takes what is held first and then credits the refund, so that no expiry gives it back a second time. The control plane refunds what was captured and no more; while nothing was captured that is 409, and a reversal is what gives a hold back.',
    grade: 'invented',
  },
  {
    number: '123',
    area: 'rails',
    question: 'What if a client does not answer in real time?',
    answer:
      'The stand-in does: decline, unless it is set otherwise. Not answering is no connection, a status other than 2xx, a body without `approved` or `declined`, or more than 2 seconds, the published limit, unless another is set. Cards are asked about where a simulation or the card test authorizes, ACH where another bank debits.',
    grade: 'inferred',
  },
  {
    number: '124',
    area: 'webhooks',
    question: 'What does delivery chaos touch?',
    answer:
      'First attempts only, so that a retry shows recovery. A dropped delivery counts as delivered and is never sent; a duplicate has the id of its first; a late one is overtaken by those behind it. It is kept in memory and ends with the bank.',
    grade: 'invented',
  },
  {
    number: '125',
    area: 'webhooks',
    question: 'Which secret signs after a rotation?',
    answer:
      "In the platform's header, which has room for one, the new secret. In `webhook-signature` both, until the overlap is over on the sandbox's clock.",
    grade: 'invented',
  },
  {
    number: '126',
    area: 'control',
    question: 'May two processes share a data directory?',
    answer:
      'No. Each file is opened with an exclusive lock, and a second process on it does not start: it would tell each event twice and draw the same ids.',
    grade: 'invented',
  },
  {
    number: '127',
    area: 'control',
    question: 'What do a reset and a restore keep?',
    answer:
      'The sandbox, its key, its snapshots, its journal and its coverage. Faults and delivery chaos end. A reset brings back the clock as the process set it and the ids as they were; a restore goes on with the clock of the snapshot if that was set, and with the real time if not. Requests under way end on the old bank.',
    grade: 'invented',
  },
  {
    number: '128',
    area: 'control',
    question: 'What does a fault leave behind?',
    answer:
      'Before the operation nothing, after the commit everything that the operation did. Under the idempotency key is the answer of the operation, if there was one: the repetition finds it. An error that a key keeps (row 72), like 409, is kept in its place, before the operation too: the repetition gets it again and only a new key helps. It does not come between a key and an answer that was kept before; an error that no key keeps, and a broken connection, do.',
    grade: 'invented',
  },
  {
    number: '129',
    area: 'control',
    question: 'Who may use the control plane?',
    answer:
      'Whoever is on the machine, where the server listens on loopback; elsewhere, or where a token is set, whoever sends it. A foreign `Origin` is 403 everywhere, a `Host` that is not loopback is 403 on loopback (row 277). A token that is chosen has at least 16 characters. Files behind signed links need no token and no origin.',
    grade: 'invented',
  },
  {
    number: '130',
    area: 'behaviour',
    question: 'What does a change of a holder change?',
    answer:
      'What is sent, field by field, and an address whole. A member that is named by its `id` is changed likewise, one without an `id` is a new member, and who is not named stays. The object that the holder is not is ignored, as when it is made. A `verification` counts as it does with a new holder, and goes before the status. That fields merge is shown, the rest is ours.',
    grade: 'inferred',
  },
  {
    number: '131',
    area: 'behaviour',
    question: 'What does a KYC or KYB of v1 need, and may it be submitted again?',
    answer:
      'An id number, and for a person a date of birth and an address; the first that is not set is named with 400. What was submitted answers the same again, what was approved stays, what was declined or is in review is submitted anew. The id number counts that is there when it is decided. In the profile `manual` only the control plane decides.',
    grade: 'inferred',
  },
  {
    number: '132',
    area: 'behaviour',
    question: 'How does the check of an identity document begin and end?',
    answer:
      'Never by itself: the answer has the address of a page to send the person to, which nobody serves here, and the control plane ends it with `idv_pass`, `idv_review` or `idv_fail`. Until then v1 shows `notStarted`, as its page does, and never `pending`, because nobody is seen to begin; v2, which has no such sample, shows `review`. In v1 `action` `new` makes another one, with an id and a page of its own, and `resume` answers the one that was begun, however it stands; both are published. Any other word is 400. A call that says neither, and every call of v2, answers one that waits or has passed, and begins any other again. It changes neither the KYC nor the status of the holder, and is told as `sub_account_holder.updated` and `person.kyc.updated`.',
    grade: 'inferred',
  },
  {
    number: '133',
    area: 'behaviour',
    question: 'May the name of a verified holder change?',
    answer:
      'Not in v1, where first name, last name and legal name stay once the verification has passed (400; the code is known from a client). In v2, whose example changes one. The accounts of the holder bear the new name at once, and no event tells of them.',
    grade: 'inferred',
  },
  {
    number: '134',
    area: 'behaviour',
    question: 'Whose is a phone?',
    answer:
      "One person's, where v1 makes or changes a person (400), with `+15555555555` as the published exception. v2 documents no such rule and has none, so a person of v2 may have the phone of another.",
    grade: 'inferred',
  },
  {
    number: '135',
    area: 'behaviour',
    question: 'What may a holder do who is not activated?',
    answer:
      'Originate no payment: from an account of a suspended, deactivated or locked holder it is refused with 400. What comes in from outside, and what is under way, goes on, and so do the accounts and cards, which have states of their own.',
    grade: 'invented',
  },
  {
    number: '136',
    area: 'interface',
    question: 'Which id numbers does v1 take for a person?',
    answer:
      '9 to 50 characters, and the last four digits of a social security number, which older pages took. Making a person needs first and last name, phone and email; the newest page asks for more, which here is asked for when the KYC is submitted.',
    grade: 'inferred',
  },
  {
    number: '137',
    area: 'interface',
    question: 'What if the filter of a list names something that is not there?',
    answer:
      'The list is empty; a filter that is sent empty asks nothing. Persons may be filtered like businesses, by `phone`, `email`, `idNumber` and `kycstatus` as well, and by a part of the first and last name with `query`.',
    grade: 'invented',
  },
  {
    number: '140',
    area: 'behaviour',
    question: 'How much may the members of a business own?',
    answer:
      'Together at most 100.00 percent; a member that would make it more is 400. v1\'s page asks for whole numbers, as in `"50"`; two decimals are taken as well, and answers have two, as the newer samples do. Of a family nobody owns a part, so nothing is summed. A person is a member of one business or family once. A deactivated business takes no new member.',
    grade: 'inferred',
  },
  {
    number: '141',
    area: 'interface',
    question: 'Which path of members is served?',
    answer:
      'Both that clients call: `/v1/member`, and the older `/v1/owner` with the same four operations on the same members.',
    grade: 'inferred',
  },
  {
    number: '142',
    area: 'behaviour',
    question: 'Whose are the details of a member?',
    answer:
      'Those of the person that v1 made it from, in both generations: a change or a KYC of the person is one of the member, and v2\'s change of such a member is one of the person. A member that v2 made is no person of the bank; v1 shows it with `person.id` `""`. Making or changing a membership is told as `member.created` or `member.updated`, and as an update of the business; members that come or change with their business in v2 are told of by the business alone.',
    grade: 'invented',
  },
  {
    number: '143',
    area: 'behaviour',
    question: 'What may change of a family, and whose is it?',
    answer:
      "Name, phone, email and address, as published, and metadata; its status is the platform's own and stays `active` here. The filter `personId` finds the families that the person made or is a member of. A family is not verified: a member brings the KYC of the person. v2 knows no families.",
    grade: 'inferred',
  },
  {
    number: '144',
    area: 'interface',
    question: 'What are the projections of a business?',
    answer:
      'What `PATCH` sent last, whole: the `count` and `amount` of each way below `transactions.annual.send`, `receive` and `incoming`, where any name of a way is taken, because the published page is known only in part. For the same reason none is missed, though the page calls every field mandatory. `null` until they are sent; 400 once the KYB was approved or declined, as published. No event tells of them.',
    grade: 'inferred',
  },
  {
    number: '145',
    area: 'interface',
    question: 'How is an ownership disclosure signed?',
    answer:
      'Opening the link signs it, without a key, and leads on to `redirectUri` (302), or to a plain page where that is no web address. The link is good for five minutes and the same within them unless `action` is `regenerate`, as published; a later one ends those before (410). The status is `completed` at once, not 20 seconds later. What was signed stays signed until it is regenerated. Only `url` is known of the published answer.',
    grade: 'inferred',
  },
  {
    number: '146',
    area: 'behaviour',
    question: 'What does a KYB of v1 not ask for?',
    answer:
      'A disclosure, projections, or a member. The platform has refused a KYB without a signed disclosure since February 2024; here programs that were written before run unchanged, and `disclosureStatus` tells how far it is. Members who have not passed are checked with the business, and a member who is a person of the bank as that person, with the events of its KYC.',
    grade: 'invented',
  },
  {
    number: '147',
    area: 'interface',
    question: 'Which codes of industries are there?',
    answer:
      'The 20 sectors of NAICS 2022, each with `code`, `name`, `total` and `industries`, and in those `nationalIndustries`, as a client reads them; codes and totals are numbers. A sector that has several codes, like 31 to 33, goes by the first. Of the industries there are 45 that small businesses name often, with 47 national ones: a menu, not the whole system. A national industry has `code` and `name`, which is our guess. A business may carry any code of two to six digits, as a text, and `industry` is free text, since the list of its names is not known.',
    grade: 'sample',
  },
  {
    number: '148',
    area: 'behaviour',
    question: 'What does v1 ask of a business, and what stays?',
    answer:
      'Legal name and entity type, when it is made; a `naicsCode`, which a late page requires, may be left out. Its number has 9 to 50 characters and may be a social security number, which v2 shows as `ssn`. Once the KYB has passed, the legal name and the number stay (400), as published.',
    grade: 'inferred',
  },
  {
    number: '149',
    area: 'interface',
    question: 'What do the lists of businesses, families and members take?',
    answer:
      'The published filters of both forms of a list, the plain one and the one below `/v1/program/{id}`, which are the same here. `sd-person-id` names who calls and narrows nothing; `createdPersonId` and `personId` do.',
    grade: 'inferred',
  },
  {
    number: '150',
    area: 'rails',
    question: 'How does an account of v1 come by its 1000.00?',
    answer:
      "By a transaction of its own, made with the account: v1 shows it as `intrabank` of sub-type `accountCreationCredit`, which a client's source names, v2 as a settled credit of method `intra_account` and type `push`, incoming. Its title and description are `Account Opened`, as in a sample of a statement. It comes from the master account and has its entry there. `account.created` still tells of 0.00, `account.credit` of the money. It cannot be reversed.",
    grade: 'inferred',
  },
  {
    number: '151',
    area: 'behaviour',
    question: 'How does the status of an account change?',
    answer:
      'A client opens, blocks, blocks one direction of, or closes it, from any of these but `closed`, which is final; asking for the present status changes nothing. Closing is 409 while anything is available, on its way in or on its way out, also when the balance is below zero. What the platform locked only the platform unlocks: 409. Cards and counterparties of a closed account stay, and what is asked of them is refused for the account.',
    grade: 'inferred',
  },
  {
    number: '152',
    area: 'behaviour',
    question: 'What does the configuration of an account hold?',
    answer:
      'What differs from the program, for each part by itself: a change names parts, and what it leaves out stays. The program of this bank allows every way, limits no money, and allows 1000 virtual and 100 physical cards, as in the published sample. A limit that is sent as `""` is taken away; `fallback.received` is `null`, as no account stands in for another. v2 has no operation for it and obeys it.',
    grade: 'inferred',
  },
  {
    number: '153',
    area: 'rails',
    question: 'What counts towards a limit of an account?',
    answer:
      "What its holder originated since 00:00 UTC, or since the first of the month, and was not declined, returned, reversed or canceled: those give their headroom back. `send` is what goes out, `receive` what the holder pulls or deposits; purchases by card and what others send or pull count towards neither. The overall limit is looked at first and holds for all ways, RTP and FedNow included, which have no way of their own; then the way's own limit holds too.",
    grade: 'documented',
  },
  {
    number: '154',
    area: 'rails',
    question: 'What happens over a limit, or by a way that is switched off?',
    answer:
      'v1: 400 `EC_TRANSFER_LIMIT_EXCEEDED` or `EC_TRANSFER_NOT_ENABLED`, and nothing is made. v2: 201 with a transaction in `declined`, as row 28 has it for a lack of money, with the review codes `sendLimitExceeded`, `transferLimitExceeded` (both published) or `transferTypeDisabled` (ours). Rules are looked at before, the balance after. `sameDay` switched off refuses what asks for the same day.',
    grade: 'inferred',
  },
  {
    number: '155',
    area: 'rails',
    question: 'Who may pull from an account, and how many cards may it have?',
    answer:
      "An ACH debit of another bank is returned where `incoming.achPull` is not enabled, blocks its originator, or allows others only: R29 from a business, R10 from a person, as where the client says no itself, and it is not asked then. An originator is the sender's name or routing number, whatever the case and the spaces around it; a blocked one is blocked though it is allowed. A card beyond the count of its type is 400; closed ones do not count.",
    grade: 'inferred',
  },
  {
    number: '156',
    area: 'interface',
    question: 'What is a statement?',
    answer:
      'A month of UTC on the clock of the sandbox. The list names each by `month` and `year`, as numbers, and `createdAt`, the instant at which the month was over; `GET .../statement/{year}/{month}` has the published fields, and as `csv` a line for each transaction (row 195), as `pdf` a page to print. It has what was booked in the month (row 213), oldest first, the sums of credits and debits without a sign, and what they come to before and after, so that one closes as the next opens. What waits to be booked is in none: the last closing balance is what is available and what is reserved for payments that wait, like a wire. Ours: the present month is listed and served too, as far as it goes, with the instant of the call as `createdAt`, where the platform makes it on the first of the next one; `personId`, `businessId` and `familyId` stand in a statement as in an account. There is no other path: `2026-11` in one part finds nothing. A month before the account or after the present is 404, a word that is no month 400.',
    grade: 'documented',
  },
  {
    number: '157',
    area: 'interface',
    question: 'What do the creation and the list of sub accounts take in v2?',
    answer:
      "`sub_account_holder_id` and `type` are required, which the reference does not say. The filter `status` takes the words of the record and those that the reference prints, a holder's: `activated` is `open`, `deactivated` is `closed`, `suspended` any of the blocked ones, `pending_activation` none. An id that nobody has, as a filter, is an empty list.",
    grade: 'inferred',
  },
  {
    number: '158',
    area: 'interface',
    question: 'Who owns an account that v1 opens, and what do its lists show?',
    answer:
      "The business or the family that the body names, otherwise the person of `sd-person-id`, without whom it is 400. `acceptedTerms` may be left out and not be false; `type`, where it is sent, fits the owner, and the platform's own types cannot be opened. A family must be there and active; whoever opens for it must have passed KYC. Lists hold the accounts of the whole program, whoever calls; `personId` finds those that this person opened, for a business or a family too.",
    grade: 'inferred',
  },
  {
    number: '159',
    area: 'behaviour',
    question: 'What is the master account?',
    answer:
      'One for each sandbox, made with it. Its figures are those of the other side of the books, so its balance is that of all sub accounts and of what waits for one. It cannot be changed through the interface; `external_reference_id`, `purpose` and `metadata` are unset.',
    grade: 'documented',
  },
  {
    number: '160',
    area: 'behaviour',
    question: 'Which numbers of banks are good, and what is told of their banks?',
    answer:
      'A routing number has nine digits of which the last checks the others, a SWIFT code 8 or 11 letters and digits as ISO 9362 has them. Any other is 400, in a look-up and in the details of a counterparty. The look-up answers 200 for every good number; `bank_name` is empty for a bank that no table has, and the address says what is known: for a SWIFT code its country. A routing number of the table takes what the Federal Reserve lists it for, any other `ach` and `wire`; a SWIFT code takes `wire`.',
    grade: 'invented',
  },
  {
    number: '161',
    area: 'behaviour',
    question: 'What does a counterparty of v2 need?',
    answer:
      "A `sub_account_id`, a `type`, and the object of that type; the other object is ignored. A `type` that is missing or unknown is 400 `type must be properly set` and names no field, as in the platform's sample. A change to the other type needs the object of that type, and the former one is gone. `null` where an object may stand is no object.",
    grade: 'inferred',
  },
  {
    number: '162',
    area: 'behaviour',
    question: 'What is a counterparty called?',
    answer:
      'In v1 by its `name`, which payments show too; in v2 by its person or business. The name follows a change of the person or business for as long as v1 has given no other. A contact of v1 has neither person nor business in v2 until v2 says one; `type` is then `person`. The label is the name unless another is sent.',
    grade: 'invented',
  },
  {
    number: '163',
    area: 'behaviour',
    question: 'What of a counterparty survives a change in the other generation?',
    answer:
      "Whatever that generation has no word for: v1's name, email, phone, card address, the address of a domestic wire, the beneficiary and kind of account of an international one; v2's person or business, `rtp`, `fednow`, purpose and reference.",
    grade: 'inferred',
  },
  {
    number: '164',
    area: 'behaviour',
    question: 'May a counterparty of v2 be another account of the same holder?',
    answer:
      'Yes, because v2 has no word with which to say so: it is a contact of type `selfIntrabank` in v1. The account itself is 400 in both generations, and v1 refuses such an account for `others`, as row 94 says.',
    grade: 'invented',
  },
  {
    number: '165',
    area: 'behaviour',
    question: 'What is kept of a debit card?',
    answer:
      'Its last four digits, when it expires, its address, and a text that stands for it: the text that was sent, or `tok_test_` and 32 digits where a number was. A number has 12 to 19 digits and is not checked further. The code is never kept and is shown empty. `pull_enabled` and `push_enabled` are always true.',
    grade: 'inferred',
  },
  {
    number: '166',
    area: 'behaviour',
    question: 'How does a contact of v1 get its debit card?',
    answer:
      "`POST .../debitcard/token` answers 201 with a token for that contact, good once and for five minutes. With it in `sd-debitcard-token`, and without a key, the card is sent as `{debitCard: {...}}` by PATCH, as in the platform's public samples, or by POST; the answer is the contact. Any other token is 401. A refused card does not use its token up. `/v2/contact/{id}/debitcard` is the same (row 251). The platform has a vault of another host before this path, here there is none.",
    grade: 'sample',
  },
  {
    number: '167',
    area: 'behaviour',
    question: 'What does the `verification_status` of a bank account say?',
    answer:
      '`pass` for an ACH account that v2 names, unless the body says `fail` or `review`: then it is `review`, which is `verified: false` in v1. One that v1 names is not verified. `rtp` and `fednow` are always `pass`. No payment is held up by it.',
    grade: 'sample',
  },
  {
    number: '168',
    area: 'behaviour',
    question: 'What does deleting a contact do?',
    answer:
      'It answers 200 `{id, status: "deleted"}`. The contact is in the lists of v1 under `status=deleted` only, and a second deletion is 404. v2 shows it as `deactivated`, in its lists too, and a change there is 404. `contact.updated` and `counterparty.status.deactivated` tell of it. A counterparty that v2 deactivated is in v1\'s lists as a deleted one.',
    grade: 'inferred',
  },
  {
    number: '170',
    area: 'behaviour',
    question: 'What may become of a card holder?',
    answer:
      'It is screened and not verified, so it is activated at once. A client suspends, activates and deactivates it, the last for good; `pending_activation` is only ever the state that it has already, otherwise 409. Its person is changed field by field, an address whole. While it is anything but activated it gets no card (400), and the authorizations of its cards are declined `cardInactive`; the cards keep their own states.',
    grade: 'inferred',
  },
  {
    number: '171',
    area: 'behaviour',
    question: 'For whom does v1 issue a card?',
    answer:
      "For the person of `sd-person-id`; without the header for the account's own person, or the person who made the business. Where nobody is known that is 400 `EC_PERSON_ID_HEADER_REQUIRED`. The person becomes a card holder of the account once; one that v2 made with the same name and id number is taken for that person. That person is also `createdPersonId` of the card.",
    grade: 'inferred',
  },
  {
    number: '172',
    area: 'behaviour',
    question: 'What does a new card need, and what its activation?',
    answer:
      'In v2 its `type` and a card holder, under either name; in v1 `accountId` and `cardType`, and for a physical one `shipping.shippingAddress`. `bin` is `debit` unless the body says `credit`, and `currency` is `USD`. A name on a card has at most 23 characters and none of the refused ones, in both generations. An account that is closed, or whose `config.card` does not allow another, gets none (400). Only a physical card that waits is activated, else 409; of what is printed on it all must match, and the 400 names what differs without telling what would be right.',
    grade: 'inferred',
  },
  {
    number: '173',
    area: 'behaviour',
    question: 'What goes over to a card that replaces another, and who is told?',
    answer:
      'Everything, `bin` too, but the number, the code, the date, the PIN and what was spent: its limits begin anew. Captures, reversals and refunds of the old card go on. The reason is checked and changes nothing. A closed or locked card is not replaced (409). v1 tells `card.replaced` with the old card, canceled, so that a client finds it by its id; v2 tells `card.status.closed` of the old one and `card.created` of the new one.',
    grade: 'invented',
  },
  {
    number: '174',
    area: 'behaviour',
    question: 'What is the one limit of a card in v1?',
    answer:
      'The amount of the period, or the limit per transaction where the card has no other amount. A change of it leaves the count of v2 alone. An amount without an interval, or the reverse, is 400; both as `""` take the limit away. `availableLimit` is what is left of a limit for all time, and `""` for every other, in events as it was then.',
    grade: 'sample',
  },
  {
    number: '175',
    area: 'interface',
    question: 'How do the tokens of a card work?',
    answer:
      "Each is good for one card and one purpose. One that shows a card is good as often as one likes: the reference of v2 calls both kinds one-time, but the platform's page makes four requests with one. One that sets a PIN is good once, and what is refused does not use it up. A token that is unknown, used, expired or another's is 401, a closed card gets none (409). The PIN is set by `POST /v1/card/{id}/pin`, or the same below `/v2`, with `sd-pin-token`, by a token of either generation; the answer is 200, because a sample of the platform's takes anything else for a failure. The four digits are not kept, and no event tells of them. Ours: a token lasts for five minutes of the sandbox's clock, and no key is needed beside it, because its last eight digits are made from the name of its sandbox, which is public, while the 24 before them are random (row 284); with a key as well the key says which sandbox is meant.",
    grade: 'sample',
  },
  {
    number: '176',
    area: 'behaviour',
    question: 'What does the provision of a card do?',
    answer:
      'It answers with texts that no wallet accepts; `payment_account_reference` is the same each time for a card. The object of the wallet that is named must be there, what is in it is not looked at, and the card must be open (409). v1 tells `card.wallet.created`, each time; v2 publishes no kind for it, and the card stays as it was. Names and fields of v1 are those of v2 in its own spelling.',
    grade: 'invented',
  },
  {
    number: '177',
    area: 'interface',
    question: 'What do the filters of the list of cards in v1 mean?',
    answer:
      "`accountId` must name an account, else 400 or 404. `query` is the last four digits, whole. `minAvailableLimit` and `maxAvailableLimit` find only cards with a limit for all time. `walletId` finds nothing: no card is in a wallet of the platform's own.",
    grade: 'inferred',
  },
  {
    number: '178',
    area: 'behaviour',
    question: 'Which cash machines does `GET /v1/card/atm` find?',
    answer:
      'Invented ones: some two dozen, on real spots of seven cities of the United States. It answers with the ten that are nearest, the nearest first.',
    grade: 'invented',
  },
  {
    number: '179',
    area: 'interface',
    question: 'What does the search for cash machines take and answer?',
    answer:
      '`latitude` and `longitude` in degrees are required, `radius` in miles may be left out. A machine has `name`, `description` and `coordinates` with `latitude` and `longitude`, as an app of the platform reads them; besides `address`, the two coordinates once more, `distance` along the great circle and `distanceUnit`, which is `miles`. Only the path is published.',
    grade: 'invented',
  },
  {
    number: '180',
    area: 'rails',
    question: 'How does v2 show the two ledgers of a movement?',
    answer:
      "A movement is one record, told by its sub account; its entry in the master account has an id of its own, and `GET` and `PATCH` take either. By the entry's id the record has that id, no sub account and no holder, and the master account's figures after the entry; everything else is the same, and a change changes both. `ledger_type=master_account` lists the entries in the order of their making; without `ledger_type` each movement is listed once, by its sub account, or by the master account while it waits there. Events tell of a movement once, by its sub account. A payment within the bank has no entry.",
    grade: 'inferred',
  },
  {
    number: '181',
    area: 'rails',
    question: 'What becomes of incoming money that names the master account alone?',
    answer:
      "It waits there: `received`, then `settled`, in the master account's figures and in no sub account, `not_reconciled` until all of it is sub-ledgered; a sub account that is named with the master account is where it goes. v1, which has no master account, hears of it when it comes to an account. A debit that names the master account alone is received with nothing held and returned with R20: the money there belongs to the holders, and nobody pays from it.",
    grade: 'inferred',
  },
  {
    number: '182',
    area: 'rails',
    question: 'What may be sub-ledgered, and what if such money goes back?',
    answer:
      "Any part of an entry that waits and is settled (409 before), in as many parts as one likes, at most what is left (400, which says how much that is), to an account that takes credits. A part is a settled credit with the entry's method, type, description and other side, and names the entry; the entry lists its parts and is told of as `transaction.updated`. When the entry is returned or reversed all its parts are, first, each with a row of its own. A part that is returned or reversed alone waits on the master account again, and can be sub-ledgered anew.",
    grade: 'inferred',
  },
  {
    number: '183',
    area: 'interface',
    question: 'What do the filters of the list of transactions find?',
    answer:
      'What meets all of them. An id that nobody has, or that is none, finds nothing: the platform documents 200 and 401 for lists. An empty filter asks nothing. An entry in the master account names no sub account and no holder, so with `ledger_type=master_account` those two find nothing.',
    grade: 'inferred',
  },
  {
    number: '184',
    area: 'rails',
    question: 'When is `reconciliation` reconciled, and what does it list?',
    answer:
      'When both ledgers have the movement: both lists are there from that moment on. The examples of incoming wires have no sub account yet a moment after they came in, and those of settled card debits say `not_reconciled`; here both sides are written at once, so neither happens. The amounts of both lists are what of the entry the movement is. What was declined within the bank is not reconciled.',
    grade: 'inferred',
  },
  {
    number: '185',
    area: 'rails',
    question: 'What do the pairs of type and status of a simulated card transaction do?',
    answer:
      '`auth` holds (`pending`), or holds and captures (`settled`); `adjust` captures what is held at another total and answers the difference, a debit for more and a credit for less, or the authorization itself when there is none; `reverse` gives back the amount, all of it or a part; `refund` credits what was captured, settled at once or as `pending`, which the same call with that refund as parent settles, as a whole; the money is there in both cases (row 218). An `adjust` may stand for its authorization as the parent of a refund. Other pairs are 400, and so is a parent that is missing, over, or of another card. The authorization becomes `settled`, `reversed`, and `refunded` when all of it is back. Every answer names its parent, which the examples leave empty. The merchant is always ours, `online`, and its name is the description.',
    grade: 'inferred',
  },
  {
    number: '186',
    area: 'rails',
    question: 'What is an image of a check?',
    answer:
      'Both sides are required in v2, as base64 with padding, up to 10 MB each as far as `SANDBANK_BODY_LIMIT` takes the body; what they show is not looked at. A deposit that v1 makes stands still until both images were given, and goes on from that moment. Nothing hands them out again.',
    grade: 'inferred',
  },
  {
    number: '187',
    area: 'interface',
    question: 'How long may the texts of a payment be?',
    answer:
      '2000 characters, because the platform publishes no limit for v2; the description of a check 200, its memo line in v1; a reference number 140, what RTP and FedNow carry. Of the two company texts a batch file carries 20 and 10 characters; they are kept whole, as free text.',
    grade: 'inferred',
  },
  {
    number: '188',
    area: 'interface',
    question: 'What is the method of a payment by debit card?',
    answer:
      '`debit_card`, as in the list of methods. The examples of its two operations say `debitcard`, like their paths.',
    grade: 'documented',
  },
  {
    number: '189',
    area: 'rails',
    question: 'Where is a check that was sent?',
    answer:
      '`pending` until it is mailed, then `shipped` with an `eta` five days later, and `delivered` when it is cashed. `cashed` is a string like every boolean of v2.',
    grade: 'inferred',
  },
  {
    number: '190',
    area: 'interface',
    question: 'What may be said of a transfer in v1?',
    answer:
      '`description` is optional and has at most 500 characters, 135 for a wire, 200 for a check that is sent or deposited; `title` has at most 500. `PATCH` takes these two and `metadata`, says them of the entry too, and ignores the rest; within the bank the other side keeps its own words. The attachment of a check is an http or https address, which is not fetched, or HTML without quotes, `href` and images. A debit pull is of 2500.00 at most.',
    grade: 'documented',
  },
  {
    number: '191',
    area: 'behaviour',
    question: 'Which status has a transfer of v1?',
    answer:
      'Intrabank, ACH pushes and sent checks are `completed` when they are made, and stay so: what is declined or returned later shows its `reviewCode`, and a reversal is an entry of its own. Wires, ACH pulls, debit pushes and debit pulls are `pending`, a check deposit `waitingForFiles` and then `pending`, until they are `completed`, or `declined` with a `canceled` entry. `settled`, `approved`, `refund` and `returned` are published words that no transfer has. The words of creation are documented, those after it inferred.',
    grade: 'inferred',
  },
  {
    number: '192',
    area: 'behaviour',
    question: 'What becomes of a check whose address is bad?',
    answer:
      'Nobody looks at addresses, and no address is magic, because none is published. A rule for `check_send` with the `decline_reason` `invalidCheckAddress` brings it about: the money comes back with `check.reversal.credit`, and the transfer stays `completed` with that `reviewCode`.',
    grade: 'inferred',
  },
  {
    number: '193',
    area: 'behaviour',
    question: 'What is a transaction of v1?',
    answer:
      'Every entry of an account but what a card was refused, which has a list of its own; totals count so too. What waits on the master account is none. A payment that v2 recorded as declined is one, `declined` on every rail, and with the balance as it was. `balance` and `txnDate` are those of its booking (row 213). A purchase that is updated stays one entry with the new `amount` and the old `localTransactionAmount`; only `card.spend.update` calls it `authUpdate`, with the purchase as its parent.',
    grade: 'inferred',
  },
  {
    number: '194',
    area: 'interface',
    question: 'How are the filters of transactions read in v1?',
    answer:
      "Ids in either spelling; one that nobody has finds nothing, and so does a published word that is never written here, while any other word is 400. `minAmount` and `maxAmount` ask for the amount without its sign. `metadata.<key>` asks for one pair of the client's own, `metadata.query` for a text anywhere in them. The list of a program takes the same filters.",
    grade: 'inferred',
  },
  {
    number: '195',
    area: 'interface',
    question: 'What does `export` give?',
    answer:
      'The page that was asked for, as a file: `csv` with a line for each entry and seventeen of its fields, `pdf` as a table to print. `offset` and `limit` hold as ever. One entry is exported alike.',
    grade: 'invented',
  },
  {
    number: '196',
    area: 'behaviour',
    question: 'What does the test of an incoming ACH take, and what becomes of it?',
    answer:
      'It takes `amount` and `txnType`; a sender that is not named is `Test Sender`, without a bank. It is received and settled in the call, and the answer is the entry. A debit beyond the balance or that the client says no to in real time, and a debit or a credit that the account does not take, is 200 with a `declined` entry that reserved nothing, and `ach.received.declined` alone tells of it. A rule is followed: its return declines, its review leaves the entry `pending`. The description is the one that was sent: the colon that a published sample has behind it is not copied.',
    grade: 'inferred',
  },
  {
    number: '197',
    area: 'behaviour',
    question: 'What is a card that is sent as money?',
    answer:
      "`POST /v1/send/card` takes what an intrabank push takes, for a contact with a `card`. It opens a `cardAccount` of the sender's holder with the money in it and issues a virtual card on it, in the contact's name and with the amount as its limit for all time, and tells `solidcard.originated.debit` and `solidcard.delivered` with the card. `card` of the transfer is the whole record of the card, as it is when the transfer is asked for, and in an event as it was then; every other transfer has `null`. When that card is closed, in either generation, what is available goes back to the sender's account: `solidcard.canceled` with the card, and `solidcard.reversal.credit` with an entry of sub type `reversal`. There is no top-up. v2 shows the movements as those of `intra_account`.",
    grade: 'inferred',
  },
  {
    number: '198',
    area: 'interface',
    question: 'How are the images of a check sent?',
    answer:
      "As the file parts `front` and `back` of a form, PNG, JPEG or TIFF, once, 10 MiB in all; other parts are ignored. A part that is missing, empty, twice, no file or of another type is 400, another body 415. The deposit is in `pendingCredit`, and `check.originated.credit` was told, since it was ordered. A form is the same under its idempotency key when the same came in it. The names of the parts are those of the platform's own client.",
    grade: 'sample',
  },
  {
    number: '199',
    area: 'behaviour',
    question: 'How is a batch carried out?',
    answer:
      'In the call, in the order of the list, each item for itself: `sequence` is only its name. What cannot be read refuses the whole batch; what the bank refuses fails alone, leaves nothing, and is found with `GET /_sandbox/explain/{batchId}`. The answer is the published one of a batch that was just handed in, `submitted` with its counts at 0; there is nothing to ask for it later.',
    grade: 'inferred',
  },
  {
    number: '200',
    area: 'interface',
    question: 'What can a file be attached to?',
    answer:
      'A sub account holder, sub account, master account, card holder, card, counterparty or transaction that is there; an entry in the master account has its own, as it has its own id. `reference_id` takes either spelling; an id of anything else is 400, one that nobody has is 404. `label` may be left out. No event tells of an attachment: none is published.',
    grade: 'inferred',
  },
  {
    number: '201',
    area: 'interface',
    question: 'How does a record of v2 show what is attached to it?',
    answer:
      '`attachments` is `null` when nothing is, else the newest first, without deleted ones: `{id, label, created_at, timestamps: {created_at, deleted_at}}`. The field tables have the time of making among the `timestamps`, the examples and the table of cards beside the label; it stands in both places, also in the record of an attachment itself. The record in an event is as it was when the thing happened and names none.',
    grade: 'documented',
  },
  {
    number: '202',
    area: 'interface',
    question: 'What is behind the `url` of an attachment?',
    answer:
      'What is behind that of a document (row 45), for 5 minutes: the creation gives the link to upload, a retrieval a fresh one to download, a list none. Ours: either link does both, and one that does not open says so in the error body of v2. The links of a deleted attachment open nothing.',
    grade: 'documented',
  },
  {
    number: '203',
    area: 'interface',
    question: 'What are the documents of a business, and what do the lists of documents hold?',
    answer:
      'A business has the same operations as a person, and its documents name `businessId` in place of `personId`. Lists are newest first by `offset` and `limit`, without filters. `url` is fresh in a creation and a single retrieval, empty in a list and an update, as published. A document of somebody else is 404.',
    grade: 'inferred',
  },
  {
    number: '204',
    area: 'webhooks',
    question: 'How does v1 list and delete webhooks?',
    answer:
      '`GET /v1/webhook` by `offset` and `limit`, newest first; `status` filters, and deleted ones are shown under `status=deleted` only. `GET /v1/webhook/events` has all 72 kinds at once. `DELETE` answers `{id, status: "deleted"}`, and a second time 404.',
    grade: 'inferred',
  },
  {
    number: '205',
    area: 'interface',
    question: 'What is in the record of a program?',
    answer:
      '`id`, `name`, `status` (always `active`), `env` (always `test`), `sponsorBankName` and `routingNumber`: what this bank knows of it, because no field is published. The program of another sandbox is 404.',
    grade: 'invented',
  },
  {
    number: '206',
    area: 'interface',
    question: 'How many requests may a client make?',
    answer:
      'As many as it likes, unless `SANDBANK_RATE_LIMITS` is `sandbox` or `production`: then 50 or 100 reads and as many writes of a sandbox in any second, over both generations, and 1000 requests of an address in any 5 minutes, as published. One more is 429, does nothing, is kept under no idempotency key and does not count. Counted are requests below `/v2` and `/v1` with a known key, in real time. No header tells of it, as none is published.',
    grade: 'documented',
  },
  {
    number: '207',
    area: 'webhooks',
    question: 'Which kinds of v2 does nothing cause?',
    answer:
      'Those of clients, client members, master account holders and the master account, which nothing changes here; `card_holder` and `counterparty` in `pending_activation` and `locked`, because both are active when they are made and nothing locks them; a card `credit_blocked` or `debit_blocked`, which is no state of a card. They may be subscribed to. The other 44 are heard in a test each.',
    grade: 'inferred',
  },
  {
    number: '208',
    area: 'webhooks',
    question: 'Which kinds of v1 does nothing cause?',
    answer:
      '`wallet.*` (other currencies), `solidcard.topup` (a card that was sent is not added to), `card.deposit`, `card.enriched`, `card.reward.*` and `card.wallet.updated`, for which nothing happens here; `ach.auth.request` and `card.auth.request`, which are questions to the address of real-time authorization and no news to a webhook. They may be subscribed to. The other 57 are heard in a test each.',
    grade: 'inferred',
  },
  {
    number: '210',
    area: 'interface',
    question: 'What is the `url` of a KYC or KYB in v2?',
    answer:
      "What the client sent with its own `verification`, otherwise empty: in the examples it leads to the platform's dashboard, which nobody serves here. The `url` of an IDV is row 132.",
    grade: 'inferred',
  },
  {
    number: '211',
    area: 'rails',
    question: 'Whose is the `verification_status` in the counterparty of a transaction?',
    answer:
      'Of a counterparty that of the bank account which an ACH goes to or comes from, as row 167 has it, so `review` for an account that v1 named, and `pass` on every other rail, where no account is verified. Of another side that is no counterparty `pass` for an ACH that came in and empty for all else, as in the examples: an incoming wire, another sub account.',
    grade: 'inferred',
  },
  {
    number: '212',
    area: 'interface',
    question: 'What is told where the error example of an operation names another thing?',
    answer:
      'The thing that is meant. A KYC or KYB of an unknown holder says what the update of one says, where its example has the sentence about an account; a card without a type names the field `type`, where the example has `card_type`, which no body has.',
    grade: 'inferred',
  },
  {
    number: '213',
    area: 'rails',
    question: 'When is a row of v1 booked, and what do its `balance` and `txnDate` say?',
    answer:
      'A row is booked when it is made, where its money is there at once (payments within the bank, ACH pushes, sent checks, debits of other banks, everything of a card), and when it settles, where it waits; `docs/rails.md` names both. `balance` is what was available right after that, `txnDate` the moment, and neither changes whatever comes later: an update, a reversal, a return, the settlement behind an ACH push. Until it is booked a row shows the balance and the time of its making. The orders of a list, its files and the statements go by the same. `available_balance` of v2 goes on with each step of the payment. That `txnDate` is when money moved and can be later than the creation is published; that both stay is our reading.',
    grade: 'inferred',
  },
  {
    number: '214',
    area: 'webhooks',
    question: 'What do `account.credit` and `account.debit` carry?',
    answer:
      'The movement: the row that moved, as a rule, with `balance` as it was right after. An update of a purchase changes a row that is there, so the account is told of the difference: the record of the purchase as `authUpdate`, with the amount that moved, a credit where the new total is smaller, a debit where it is larger; `localTransactionAmount` stays. `card.spend.update` carries the new total. All that an account was told of adds up to what it has available. Facts that were kept before what moved was kept are told as they were.',
    grade: 'inferred',
  },
  {
    number: '215',
    area: 'rails',
    question: 'Which rows add up to the balance?',
    answer:
      'In v1 all entries of an account that are not `declined`, with their signs: they come to `availableBalance` and `pendingCredit` together, at every moment. `declined` is what never moved anything: declined when it was made, on whichever rail, or received with nothing reserved and sure to go back. A payment that comes back later stands beside the row that takes it back: one that waited as `canceled`, one that was there at once as `settled`; so does an incoming ACH that was reserved and goes back before it settles, of which no `ach.received.declined` tells. v2 adds up likewise; there a row that moved nothing is one that has no row to take it back.',
    grade: 'inferred',
  },
  {
    number: '216',
    area: 'rails',
    question: 'What is the amount of an authorization that was reversed in part?',
    answer:
      "What it was: the part is a row of its own, and stands beside it in both generations, so v2's `amount` is not what is held. That is the amount less what its reversals gave back, and what a capture, a further reversal, an expiry, a refund and the card's limits count with; the control plane names it as `held`. An update sets the amount of the purchase to the new total, and what was reversed before stays beside it: the total must be more than that, else 400 on the amount. A capture that is not final makes the amount smaller by the part that its own row shows.",
    grade: 'inferred',
  },
  {
    number: '217',
    area: 'rails',
    question: 'When is a test spend of v1 captured?',
    answer:
      'By itself, what is left of it after updates and reversals, and it never expires, because v1 shows it as settled: with the settlement of the next banking day (08:30 Eastern) on rails `calendar`, a day later on `fast`, so that what a test updates or reverses next still finds it open, and on `manual` when told. `POST /_sandbox/clock/settle` goes through it, unlike a hold that v2 or the control plane made, which waits for its capture. The rail is `card_test_authorization`; a rule for `card_authorization` decides about it too. The published page says no more than `settled`.',
    grade: 'invented',
  },
  {
    number: '218',
    area: 'rails',
    question: 'When is the money of a refund there?',
    answer:
      'At once, also while the refund is `pending`: it is in `available_balance` and never in `pending_credits`, as in every published sample, and `card.refund` and `account.credit` tell of it then. Its settlement moves nothing and sets `network_settlement_at`, which is empty before. Taking a promised refund back debits it again by a row of its own.',
    grade: 'sample',
  },
  {
    number: '219',
    area: 'control',
    question: 'What becomes of a bank that was kept by a program from before rows 213 to 218?',
    answer:
      "Its rows are made to add up when it is opened: an expiry gets the row that it lacked, at the end of its account's list; an authorization that was reversed in part gets its amount back; a promised refund is posted, and one that was taken back counts as having moved nothing; balances and dates are read off the transfers. What was told stays told, and nothing is told anew. A test spend that was made before expires as it would have.",
    grade: 'invented',
  },
  {
    number: '220',
    area: 'interface',
    question: 'Which person is shown with an account and a movement in v1?',
    answer:
      'Beside the `businessId` or `familyId` always a `personId`, as samples of a card update, of a list and of a statement have it. An account has who opened it; of a business for which nobody is known to have, who made the business. A movement has who uses the card, if one was used and that person is known, and otherwise who opened the account. It is kept when the movement is made and never changes. Where nobody is known it is `""`. The filter `personId` finds what shows that person. That an account has the field beside `createdPersonId`, with the same value, is ours.',
    grade: 'sample',
  },
  {
    number: '221',
    area: 'behaviour',
    question: 'What does the `bin` of a card mean here?',
    answer:
      'What the client made of it, `debit` or `credit`, both published; it stays for the life of the card, also with the card that replaces it. It changes nothing else: either kind spends the money of its account. A card that is sent as money takes it in the body of `POST /v1/send/card`, which is ours. v2 has no word for it and makes cards of `debit`.',
    grade: 'inferred',
  },
  {
    number: '222',
    area: 'behaviour',
    question: 'What is a debit push of v1?',
    answer:
      "`POST /v1/send/debitpush` is published, with account, contact, amount and description; its list, its retrieval and its update follow those of its siblings. The contact needs a debit card. The money leaves the account at once and the transfer is `completed` with the next tick, as a debit pull is; until then it is `pending`. No most is published for it, so only the account's own limits hold. `POST /v1/account/{id}/processor-token` is Plaid's, as the two other calls of it, and answers 501.",
    grade: 'inferred',
  },
  {
    number: '235',
    area: 'interface',
    question: 'In which case is `currency` written in v2?',
    answer:
      'As `usd` everywhere, which is the only word of its list. Two live examples of wires print `USD`; they are not followed.',
    grade: 'documented',
  },
  {
    number: '236',
    area: 'interface',
    question: 'What does v2 tell of the bank on the other side of a transaction?',
    answer:
      "As its examples do: `bank_name` of an international wire is the name of the beneficiary bank; of a domestic wire that came in it is empty, and so is `account_number` of a debit card. Rules, and v1, know the sender's bank and the last four digits of the card all the same.",
    grade: 'sample',
  },
  {
    number: '237',
    area: 'interface',
    question: 'What is the time of closing of a sub account called in v2?',
    answer:
      '`closed_at`, as its field table has it, and `deactivated_at`, as its examples have it: both are there and say the same instant. A master account has `closed_at` alone.',
    grade: 'sample',
  },
  {
    number: '238',
    area: 'behaviour',
    question: 'What is the id number of a person in v2?',
    answer:
      'With the `id_type` `ssn` the whole social security number, nine digits without dashes, as its field table says; any other is 400 on `id_number`. That holds for holders, members, card holders and the persons of counterparties, and in a change for what the record would be. Four digits that v1 took stay readable and may stay while the rest changes. A number is not asked for, and one of another type, or of none, may be any text.',
    grade: 'documented',
  },
  {
    number: '239',
    area: 'rails',
    question: 'What does a withdrawal from a cash machine need?',
    answer:
      'What the guide says: cash machines switched on for the card, and a PIN that was set, in either generation. A card that replaces another has none. Without it the withdrawal is declined with the reason `pinNotSet`, a word of ours. Nobody types a PIN here, so none is ever wrong. Where `card_controls_in_test` is switched off, the card test of v1 asks for no PIN, as for no other control.',
    grade: 'documented',
  },
  {
    number: '240',
    area: 'behaviour',
    question: 'May a sub account be without an account number?',
    answer:
      'Yes: whether numbers are issued is a setting of the program, here `account_numbers` of `PUT /_sandbox/settings`, `on` or `off`, for accounts that open from then on; those that there are keep what they have. Such an account shows an empty account number and an empty routing number in both generations. It is found by its id alone: simulated money that names the id arrives, a payment within the bank needs a counterparty that names the id. Money for a number that no sub account has, an empty one too, waits on the master account to be sub-ledgered; what asks for money there is returned with R20. That such money stops at the master account is documented, the rest is ours.',
    grade: 'inferred',
  },
  {
    number: '241',
    area: 'rails',
    question: 'How late may an ACH be returned?',
    answer:
      'Within the window of its code, as the rules of the network have it: 2 banking days, or 60 calendar days for what a consumer never authorized; what the operator sends back with its next file has 1 banking day (our reading). Counted are the days after the effective date, on which the entry settled at the other bank, also for a pull, whose money is released here later; the window lasts to the end of its last day in Eastern time, where the network only asks that the return be there when the next banking day opens. A return without a code of the network has 2 banking days. No days are fixed where two banks agree, an agency decides, or a return is answered (R61 to R77). A simulated return after its window is 409; with `late` it is that of a bank that breaks the rule. What a rule plans for later comes as its window closes, unless the rule says `late`. Before the effective date a return is in time, and other rails have no window.',
    grade: 'inferred',
  },
  {
    number: '242',
    area: 'rails',
    question: 'When does an ACH post that was held up past its effective date?',
    answer:
      'On the banking day after the one on which it is sent: its `effective_date` says so from then on, and all that is counted from that date follows. An ACH that is sent in time keeps its date, and so does one for which the client asked for a date that is still ahead.',
    grade: 'invented',
  },
  {
    number: '250',
    area: 'interface',
    question: 'What may a page of another origin call?',
    answer:
      "What a token opens, below both prefixes, and nothing else of the bank: these paths answer any origin (`*`), a refusal too, and their preflight is 204 without a key and names their methods, their token's header and `content-type`. A page may read `x-request-id` and `x-sandbox-hint`. It can send no key, and cookies mean nothing. The platform has a vault of another host before these paths, here there is none.",
    grade: 'inferred',
  },
  {
    number: '251',
    area: 'interface',
    question: 'What are `/v2/card/{id}/show`, `/v2/card/{id}/pin` and `/v2/contact/{id}/debitcard`?',
    answer:
      "Operations of v1 at another path, as the platform's samples for pages and phones call them: v1's headers, bodies, statuses and records. Ours: ids are written as v1 writes them and taken as either does; a refusal has v2's body, which names the field as it was sent; the idempotency key is v2's.",
    grade: 'sample',
  },
  {
    number: '252',
    area: 'control',
    question: 'What does a key begin with that is first used after a restart?',
    answer:
      'With a data directory: the same bank as before, ids and secrets included (row 285). `founding.json` in it keeps the instant of the founding, for each seed and rails that the directory was started with; another `SANDBANK_SEED` or `SANDBANK_RAILS` is founded at its own first start. What is seeded into one sandbox, imported or reset changes nothing for the others. In memory each start founds anew.',
    grade: 'invented',
  },
  {
    number: '253',
    area: 'control',
    question: 'What is left of a start that is refused?',
    answer:
      'Nothing. The settings, the place of the ready file and the port are tried first; only then the data directory is made or opened, `default.sqlite` before everything else, because its lock keeps a second process out. What this start made goes again when it fails. A request that comes before the bank is open waits for it, and is answered with 503 if it does not open.',
    grade: 'invented',
  },
  {
    number: '260',
    area: 'interface',
    question: 'What do the zero values mean that clients of typed languages send?',
    answer:
      'Go, Java and Swift clients send every field of their structs. `""` for an optional word of a list, `null` for an optional value, and an object with nothing in it but `""`, `null`, `[]` and such objects mean that it was not sent; so does `""` for an optional text that may not be empty, and an empty parameter of a query. Where such an object is needed, it is missing. The rule is one for all operations of both generations and follows from their shapes. Two things say something all the same: in an update `null` takes away an object that may be taken away (row 93), and an empty list or text in `controls`, `config` and `metadata` clears what it names. An object with one wrong value among empty ones is refused for that value.',
    grade: 'inferred',
  },
  {
    number: '261',
    area: 'webhooks',
    question: 'What is an example of an event, and what record has a kind that nothing causes?',
    answer:
      'An example is made of the newest event of its kind in the sandbox, else of a history in which every kind happened that can happen here; the same stands in the OpenAPI documents. Of the kinds that nothing causes (rows 207 and 208) v2 sends the record of the noun in the status that the kind names; for `client`, `client_member` and `master_account_holder`, of which no record is published, `id`, `client_id`, `name`, `status` and `timestamps`. v1 sends a transaction, a card, or for `wallet.created` and `wallet.updated` a wallet of our own making; for the two questions of real-time authorization what their address is asked.',
    grade: 'invented',
  },
  {
    number: '270',
    area: 'interface',
    question: 'Which refusals do the OpenAPI documents name?',
    answer:
      'All that an operation can give, by status and with an example of each code: more than the reference of v2, which lists 401 for nearly all operations, 404 for most and 400 for some. 429 stands with every operation, though it comes only as rows 75 and 206 say, and 409 with every POST and PATCH of the two generations, because the platform warns of it (row 8). What is not the answer of an operation is not in them: 403 for a foreign `Host` (row 277), 405, 408 and 431 (row 278), 501, and 503 while the server starts or stops.',
    grade: 'invented',
  },
  {
    number: '271',
    area: 'webhooks',
    question: 'When is a webhook given up whose receiver only fails?',
    answer:
      "When an event is exhausted and nothing has arrived for five days of the sandbox's clock: the webhook becomes `deactivated`, what waits for it is dropped, and the log says so. `failing_since` in `GET /_sandbox/webhooks` says since when. Setting it active revives it, and a replay queues what was missed. Five days are what others of the field wait.",
    grade: 'invented',
  },
  {
    number: '272',
    area: 'webhooks',
    question: 'How many deliveries may wait for a webhook?',
    answer:
      '100,000 for their first attempt and as many for a retry, give or take a thousand. Beyond that the oldest are dropped and the log says how many. `dropped` in `GET /_sandbox/webhooks` counts them with all others that were given up; the events stay in the log of events, and a replay queues them again.',
    grade: 'invented',
  },
  {
    number: '273',
    area: 'webhooks',
    question: 'How long may a delivery wait?',
    answer:
      "30 days of the sandbox's clock from when it was due. What is older when its turn comes, because its webhook was paused or the bank was down, is dropped and counted as in row 272.",
    grade: 'invented',
  },
  {
    number: '274',
    area: 'webhooks',
    question: 'How many webhooks may a sandbox have?',
    answer:
      '100 that are not deleted, in both generations together. One more is refused with 400, in v1 as `EC_WEBHOOK_LIMIT_REACHED`.',
    grade: 'invented',
  },
  {
    number: '275',
    area: 'control',
    question: 'What does it mean to set the clock of a sandbox back?',
    answer:
      "What has a date keeps it: planned steps, the end of a secret's overlap, of a link, of an authorization, of a fault and of an idempotency key come when the clock shows their instant again, and `settle` goes there. A wait goes on with what is left of it: a retry that was due in a minute is due in a minute. What was recorded keeps its instants. Rate limits go by the real time.",
    grade: 'invented',
  },
  {
    number: '276',
    area: 'control',
    question: 'What if the clock of the machine is put back, or the machine sleeps?',
    answer:
      "A sandbox's clock goes back only where it is set back. When the machine's clock is put back, a clock that goes with it goes on from what it showed last, so that steps and retries come as if nothing had happened, and is ahead of the machine's until it is set; after a restart it begins no earlier than the last thing that the bank told. After a sleep what became due is done within a minute.",
    grade: 'invented',
  },
  {
    number: '277',
    area: 'interface',
    question: 'By which names may the server be called?',
    answer:
      'On loopback by those of this machine (127.0.0.0/8, `::1`, `localhost` and the names below it) and by those of `SANDBANK_ALLOWED_HOSTS`, at every path: a page of the web that lets a name of its own point here is 403, in the words of the place that it calls. Off loopback by every name, or by those that are set, if some are. A target in absolute form goes before the `Host` header. `/livez` and `/readyz` answer by any name, because what asks them uses many and they tell nothing; so does a request without a `Host` (HTTP/1.0), which no browser makes.',
    grade: 'invented',
  },
  {
    number: '278',
    area: 'interface',
    question: 'What becomes of a request that does not arrive, or whose body nobody wants?',
    answer:
      'A whole request has 60 seconds to arrive in, its head 15 of them; later it is 408 in the words of the place that was called, the connection ends, and no idempotency key is used up. What can be refused without the body is refused before it is read: a foreign name, an unknown key, token, path or link, a link that is over, too many requests, a type that is not taken, a length that is too large. The rest of such a body is read and thrown away, so the client hears the answer and the connection goes on. A head that is too large is 431, and what is no HTTP is 400, in the words of what is ours. An unknown path is not read, so the journal shows it without a body, unless the sandbox has faults.',
    grade: 'invented',
  },
  {
    number: '280',
    area: 'control',
    question: 'Which images does an import take?',
    answer:
      'Those that a bank of this version or an older one could have written, and no other. The schema must be that of its version in every word, triggers and what SQLite calls its own included; statistics of SQLite (those of ANALYZE) are not ours and are refused too. Every page, every index, every record, what it names elsewhere, the numbers that count on, the settings, the clock and the position of the sequence are looked at; every event must be one that can be told, and the books must be right. The clock shows the years 1 to 9999. Anything else is `image_invalid`, in words that say what is wrong, and changes nothing.',
    grade: 'invented',
  },
  {
    number: '281',
    area: 'control',
    question: 'How large may an image be?',
    answer:
      'An import takes up to 2 GiB, whatever the limit of other bodies is. One of more than 1 MiB is examined in a thread of its own, and the bank answers meanwhile.',
    grade: 'invented',
  },
  {
    number: '282',
    area: 'behaviour',
    question: 'What does a long statement tell of while payments go on?',
    answer:
      'Of the moment at which it was asked for: which rows it has, their amounts and its sums are settled then. More than 500 rows are sent as they are read, so the answer has no length in its head, the journal shows it without its body, and a bank that is exchanged meanwhile ends it early. The bytes are those that it would have in one piece.',
    grade: 'invented',
  },
  {
    number: '284',
    area: 'control',
    question: 'Where do secrets come from?',
    answer:
      'Whatever opens or signs something is random: the secrets of webhooks and of real-time authorization, rotated ones too, the tokens for cards, PINs and debit cards, and the key of signed links. They are drawn from the sequence of row 116 as well and that is thrown away, so ids and numbers are the same with any secrets. Account and card numbers, codes (CVV), trace numbers and what a wallet is given open nothing by themselves and come from the seed. The key of a closed sandbox and a made control token were always random.',
    grade: 'invented',
  },
  {
    number: '285',
    area: 'control',
    question: 'Which secrets does a sandbox begin with, and how long are they good?',
    answer:
      "The secret of the webhook of row 64, the tokens of row 117 and the key of signed links are made from a random root and the sandbox's name, so no two sandboxes of a server share one. The root is kept in `secrets.json` of the data directory, which its owner alone can read, or with the process in memory. So a reset, a restore and a restart leave them as they are. A bank that was imported, and a copy of a sandbox, keep the secrets that they came with until they are reset; the key of links is not in them. A bank whose secrets were seeded gets its own when it is opened; what clients made in it stays.",
    grade: 'invented',
  },
  {
    number: '286',
    area: 'control',
    question: 'Who may have seeded secrets?',
    answer:
      '`SANDBANK_SECRETS` is `seeded` for tests that compare whole answers: then secrets come from the seed too, and whoever knows it can sign as the bank and open what its tokens and links open. The start says so. Off loopback such a start is refused. Every profile and the kit have `random` ones unless asked: a test reads a secret from `GET /_sandbox`.',
    grade: 'invented',
  },
];
