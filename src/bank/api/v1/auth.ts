/**
 * The sign-in and sign-out of an app of v1. The platform's app signs a person in at an identity provider and
 * registers the resulting token. In this bank the token is the key of the sandbox, with or without a person:
 * registering it returns the same token, and signing out has no effect.
 * Source: the calls of the platform's own mobile app; decision `user-tokens` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Id } from '../../kernel/sequence.ts';
import { operation } from '../operation.ts';
import { formatUserToken } from './callers.ts';
import { body, record, text } from './fields.ts';

const Ignored = (description: string) =>
  Type.Optional(Type.String({ maxLength: 10_000, description: `${description}; ignored` }));

const CLIENT_ID = Ignored('the id of the app at its identity provider');
const REFRESH_TOKEN = Ignored('the token of the identity provider');

const RegisterBody = body('Registration', "Data of the app's own sign-in. All fields are optional.", {
  clientId: CLIENT_ID,
  idNumberLast4: Ignored("the last four digits of the person's id number"),
  refreshToken: REFRESH_TOKEN,
  idToken: Ignored('the token of the identity provider'),
});

const LogoutBody = body('SignOut', "Data of the app's own sign-out. All fields are optional.", {
  clientId: CLIENT_ID,
  refreshToken: REFRESH_TOKEN,
  phone: Ignored('the phone number of the person'),
});

const Session = record('Session', 'The token of a user.', {
  accessToken: text('The token of the request: the key, and after a colon the person, if any.'),
  refreshRequired: Type.Boolean({ description: 'Always false: the token does not expire.' }),
});

const SignedOut = record('SignedOut', 'An empty object.', {});

function formatSession(key: string, personId: Id | ''): Static<typeof Session> {
  return { accessToken: formatUserToken(key, personId), refreshRequired: false };
}

export const AUTH_OPERATIONS = [
  operation({
    id: 'register',
    method: 'POST',
    path: '/v1/auth/register',
    summary: 'Register a user of a mobile app',
    description:
      'Registers a user of a mobile app and returns the token of the request. Apps of the platform call it to sign in; nothing is stored.',
    answer: 'The token of the user.',
    decisions: ['user-tokens'],
    status: 200,
    keepsNoAnswer: true,
    body: RegisterBody,
    response: Session,
    example: {
      headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
      body: { clientId: 'app', idNumberLast4: '9999', refreshToken: 'r', idToken: 'i' },
    },
    run: ({ header, personId }) => formatSession(header('sd-api-key'), personId),
  }),

  operation({
    id: 'logout',
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Sign a user out',
    description: 'Signs a user out. The token stays valid, because it contains the key of the sandbox.',
    answer: 'The user is signed out.',
    decisions: ['user-tokens'],
    status: 200,
    body: LogoutBody,
    response: SignedOut,
    example: { body: { clientId: 'app', refreshToken: 'r', phone: '+15035550100' } },
    run: () => ({}),
  }),
] as const;
