import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  AccountChange,
  AccountRemoval,
  AccountRemoved,
  ExternalSignInBody,
  Me,
  OneUser,
  ProviderBody,
  PublicKeys,
  SignedInAs,
  SignedUp,
  SignInBody,
  SignUpBody,
} from '../../contract/accounts.ts'
import type { Accounts } from './accounts.service.ts'
import type { ExternalSignIn } from './sessions/external-sign-in.ts'
import { withCookie } from './sessions/session-cookie.ts'

/** Sign-up, sign-in, and a user's own account. */
export const accountRoutes = (accounts: Accounts) =>
  new Elysia({ prefix: '/api', tags: ['accounts'], adapter })
    .use(routePolicies)
    .post(
      '/signup',
      async ({ body, headers, set, status }) => {
        const newAccount = await accounts.signUp(body, headers['user-agent'] ?? null)
        return status(201, withCookie(set, newAccount))
      },
      {
        body: documentedBody(SignUpBody),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: responses({ 201: SignedUp, ...failures(400, 403, 409, 429, 503) }),
        detail: {
          operationId: 'auth.signup',
          summary: 'Creates an account with a session and a first key, which is returned only once',
        },
      },
    )
    .post(
      '/auth/signin',
      async ({ body, headers, set }) =>
        withCookie(set, await accounts.signIn(body, headers['user-agent'] ?? null)),
      {
        body: documentedBody(SignInBody),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedInAs, 400, 401, 403, 429, 503),
        detail: {
          operationId: 'auth.signin',
          summary: 'Signs in with email and password; ten failures lock an email for a while',
        },
      },
    )
    .get('/auth/me', ({ request }) => accounts.me(knownCaller(request)), {
      auth: 'required',
      cache: 'no-store',
      response: answers(Me, 401, 429, 503),
      detail: {
        operationId: 'auth.me',
        summary:
          'The requester, the credential used, and the limits of the tier; with the launch secret the owner without a session',
      },
    })
    .patch('/auth/me', ({ request, body }) => accounts.change(knownCaller(request), body), {
      body: documentedBody(AccountChange),
      auth: 'session',
      cache: 'no-store',
      response: answers(OneUser, 400, 401, 403, 409, 429, 503),
      detail: {
        operationId: 'auth.changeMe',
        summary: 'Changes name, email or password; a new password ends all other sessions',
      },
    })
    .delete(
      '/auth/me',
      async ({ request, body, set }) =>
        withCookie(set, await accounts.remove(knownCaller(request), body)),
      {
        body: documentedBody(AccountRemoval),
        auth: 'session',
        cache: 'no-store',
        response: answers(AccountRemoved, 400, 401, 403, 409, 429),
        detail: {
          operationId: 'auth.deleteMe',
          summary:
            'Deletes the account with its sessions, keys and data; refused while an order may still rest at an exchange',
        },
      },
    )

/** Sign-in with an account of the configured identity provider. */
export const externalRoutes = (external: ExternalSignIn) =>
  new Elysia({ prefix: '/api/auth', tags: ['accounts'], adapter })
    .use(routePolicies)
    .get('/external', () => external.provider(), {
      auth: 'none',
      cache: 'no-store',
      response: answers(ProviderBody, 429),
      detail: {
        operationId: 'auth.provider',
        summary: 'The configured identity provider, if any',
      },
    })
    .post(
      '/external',
      async ({ body, headers, set }) =>
        withCookie(set, await external.signIn(body, headers['user-agent'] ?? null)),
      {
        body: documentedBody(ExternalSignInBody),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedInAs, 400, 401, 403, 404, 429, 503),
        detail: {
          operationId: 'auth.external',
          summary: 'Signs in with a token of the identity provider',
        },
      },
    )

/** Public keys with which others verify our session tokens. */
export const publicKeyRoutes = (keys: () => Promise<PublicKeys>) =>
  new Elysia({ tags: ['accounts'], adapter })
    .use(routePolicies)
    .get('/.well-known/jwks.json', () => keys(), {
      auth: 'none',
      cache: 300,
      response: answers(PublicKeys, 429),
      detail: { operationId: 'auth.keys', summary: 'Public keys of session tokens (JWKS)' },
    })
