/**
 * Links a user's account at another bank through an imitation of Plaid: the link token is invented, and any result of
 * Plaid's SDK, or the processor token of this bank, creates a contact.
 * Source: the calls of the platform's own mobile app, and its page on processor tokens; decision `plaid-links` in
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import { operation } from '../operation.ts';
import { CONTACT_VIEW } from './contacts/format.ts';
import { Contact } from './contacts/shapes.ts';
import { body, parseId, record, text } from './fields.ts';

const Ignored = (description: string) =>
  Type.Optional(Type.String({ maxLength: 500, description: `${description}; ignored` }));
const PublicToken = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: "the token from Plaid's SDK; any text" }),
);

const PlaidTokenBody = body('PlaidTokenRequest', 'Data of the app.', {
  packageName: Ignored('the name of the app'),
  plaidUpdateMode: Type.Optional(
    Type.Object({ type: Ignored('the link to renew'), contactId: Ignored('the contact to renew') }),
  ),
});

const PlaidToken = record('PlaidToken', 'An invented token, which Plaid does not accept.', {
  linkToken: text('The invented token.'),
  expiresIn: text('Seconds, like "14400".'),
});

const PlaidAccountBody = body('PlaidAccount', "The data from Plaid's SDK.", {
  plaidToken: PublicToken,
  publicToken: PublicToken,
  plaidAccountId: Ignored('the account that the user chose'),
});

const ProcessorTokenBody = body(
  'ProcessorToken',
  "The processor token of a user's account at another bank.",
  {
    processorToken: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'the `processor_token` that `GET /_sandbox` shows; Plaid creates another one for each account',
    }),
  },
);

function formatToken({ token, seconds }: { token: string; seconds: number }): Static<typeof PlaidToken> {
  return { linkToken: token, expiresIn: String(seconds) };
}

/** Refuses: `field_invalid` without Plaid's token in either field. */
function requireToken({ plaidToken, publicToken }: Static<typeof PlaidAccountBody>): void {
  if (plaidToken !== undefined || publicToken !== undefined) return;
  const message = 'plaidToken is required; it can be any text, because Plaid is only imitated';
  throw refuse('field_invalid', { field: 'plaidToken', message });
}

export const PLAID_OPERATIONS = [
  operation({
    id: 'createPlaidToken',
    method: 'POST',
    path: '/v1/account/:accountId/plaid-token',
    summary: 'Create a Plaid token',
    description: "Creates a token for Plaid's SDK. It is invented, and Plaid does not accept it.",
    answer: 'An invented token.',
    decisions: ['plaid-links'],
    status: 201,
    body: PlaidTokenBody,
    response: PlaidToken,
    example: {
      body: {
        packageName: 'com.example.app',
        plaidUpdateMode: { type: 'contact', contactId: 'con-1' },
      },
    },
    run: ({ bank }, { params }) => formatToken(bank.plaid.linkToken(parseId('account', params.accountId))),
  }),

  operation({
    id: 'createPlaidAccount',
    method: 'POST',
    path: '/v1/account/:accountId/plaid-account',
    summary: 'Create a contact from a Plaid account',
    description:
      'Creates a contact of type `selfAch` from the bank account that a user linked with Plaid. The numbers of the account are invented.',
    answer: 'The new contact of type `selfAch`.',
    decisions: ['plaid-links'],
    status: 201,
    body: PlaidAccountBody,
    response: Contact,
    example: {
      body: { plaidToken: 'public-sandbox-1', publicToken: 'public-sandbox-1', plaidAccountId: 'a-1' },
    },
    run({ bank, show }, { params, body }) {
      requireToken(body);
      return show(CONTACT_VIEW, bank.plaid.link(parseId('account', params.accountId)));
    },
  }),

  operation({
    id: 'createProcessorContact',
    method: 'POST',
    path: '/v1/account/:accountId/processor-token',
    summary: 'Create a contact from a processor token of Plaid',
    description:
      'Creates a contact of type `selfAch` from the bank account that a processor token of Plaid stands for. Only the token of this bank, `seeded.processor_token` of `GET /_sandbox`, is accepted; the numbers of the account are invented.',
    answer: 'The new contact of type `selfAch`.',
    decisions: ['plaid-links'],
    status: 200,
    body: ProcessorTokenBody,
    response: Contact,
    example: {
      body: ({ seed }) => ({ processorToken: seed('processor_token') }),
    },
    run: ({ bank, show }, { params, body }) =>
      show(
        CONTACT_VIEW,
        bank.plaid.linkByProcessor(parseId('account', params.accountId), body.processorToken),
      ),
  }),
] as const;
