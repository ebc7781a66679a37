import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  AccountRemoved,
  OneUser,
  ProviderBody,
  PublicKeys,
  SignedInAs,
  SignedUp,
} from './account.schema.ts'
import type { Accounts } from './accounts.service.ts'
import type { ExternalSignIn } from './external-sign-in.ts'
import { withCookie } from './session-cookie.ts'
import { Me } from './session.schema.ts'

/** Sign-up, sign-in, and what users do with their own account. */
export const accountRoutes = (accounts: Accounts) =>
  new Elysia({ prefix: '/api', tags: ['accounts'], adapter })
    .use(routeWords)
    .post(
      '/signup',
      async ({ body, headers, set, status }) => {
        const made = await accounts.signUp(body, headers['user-agent'] ?? null)
        return status(201, withCookie(set, made))
      },
      {
        body: t.Any(),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: { 201: SignedUp, ...failures(400, 403, 409, 429, 503) },
        detail: {
          operationId: 'auth.signup',
          summary: 'A new account with a session and a first key; the key is shown this once',
        },
      },
    )
    .post(
      '/auth/signin',
      async ({ body, headers, set }) =>
        withCookie(set, await accounts.signIn(body, headers['user-agent'] ?? null)),
      {
        body: t.Any(),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedInAs, 400, 401, 403, 429, 503),
        detail: {
          operationId: 'auth.signin',
          summary: 'A session for email and password; ten failures lock an email for a while',
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
          'Who asks, by what, and the numbers of their tier; by the launch secret it is the owner, by no session',
      },
    })
    .patch('/auth/me', ({ request, body }) => accounts.change(knownCaller(request), body), {
      body: t.Any(),
      auth: 'session',
      cache: 'no-store',
      response: answers(OneUser, 400, 401, 403, 409, 429, 503),
      detail: {
        operationId: 'auth.changeMe',
        summary: 'Another name, email or password; a new password ends all other sessions',
      },
    })
    .delete(
      '/auth/me',
      async ({ request, body, set }) =>
        withCookie(set, await accounts.remove(knownCaller(request), body)),
      {
        body: t.Any(),
        auth: 'session',
        cache: 'no-store',
        response: answers(AccountRemoved, 400, 401, 403, 429),
        detail: {
          operationId: 'auth.deleteMe',
          summary: 'Deletes the account with its sessions, keys and all that is its user’s',
        },
      },
    )

/** Sign-in with an account of the configured identity provider. */
export const externalRoutes = (external: ExternalSignIn) =>
  new Elysia({ prefix: '/api/auth', tags: ['accounts'], adapter })
    .use(routeWords)
    .get('/external', () => external.provider(), {
      auth: 'none',
      cache: 'no-store',
      response: answers(ProviderBody, 429),
      detail: {
        operationId: 'auth.provider',
        summary: 'The identity provider whose tokens are taken, if any',
      },
    })
    .post(
      '/external',
      async ({ body, headers, set }) =>
        withCookie(set, await external.signIn(body, headers['user-agent'] ?? null)),
      {
        body: t.Any(),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedInAs, 400, 401, 403, 404, 429, 503),
        detail: {
          operationId: 'auth.external',
          summary: 'A session for a token of the identity provider',
        },
      },
    )

/** The keys by which others check our session tokens. */
export const publicKeyRoutes = (keys: () => Promise<PublicKeys>) =>
  new Elysia({ tags: ['accounts'], adapter })
    .use(routeWords)
    .get('/.well-known/jwks.json', () => keys(), {
      auth: 'none',
      cache: 300,
      response: answers(PublicKeys, 429),
      detail: { operationId: 'auth.keys', summary: 'Public keys of session tokens (JWKS)' },
    })
