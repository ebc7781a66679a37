import { Elysia } from 'elysia'
import { adapter } from '../../../http/adapter.ts'
import { callerOf, knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody } from '../../../http/request/body.ts'
import { answers } from '../../../contract/schemas.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import {
  SessionEnded,
  SessionId,
  SessionList,
  SignedIn,
  SignedOut,
  SignOutBody,
  Ticket,
  TicketBody,
} from '../../../contract/accounts.ts'
import { withCookie } from './session-cookie.ts'
import type { SignIn } from './sign-in.service.ts'

export const sessionRoutes = (signIn: SignIn) =>
  new Elysia({ prefix: '/api/auth', tags: ['accounts'], adapter })
    .use(routePolicies)
    .post('/local', () => signIn.ticket(), {
      auth: 'owner',
      from: 'program',
      rate: 'auth',
      cache: 'no-store',
      response: answers(Ticket, 401, 403, 429),
      detail: {
        operationId: 'auth.local',
        summary:
          'A one-time ticket that opens the terminal, for users who can read the data folder',
      },
    })
    .post(
      '/exchange',
      async ({ body, headers, set }) =>
        withCookie(set, await signIn.exchange(body, headers['user-agent'] ?? null)),
      {
        body: documentedBody(TicketBody),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedIn, 400, 403, 410, 429),
        detail: {
          operationId: 'auth.exchange',
          summary: 'Exchanges a one-time ticket for a session',
        },
      },
    )
    .post(
      '/signout',
      async ({ request, body, set }) =>
        withCookie(set, await signIn.signOut(callerOf(request), body)),
      {
        body: documentedBody(SignOutBody),
        auth: 'anyone',
        rate: 'revocation',
        from: 'own-page',
        cache: 'no-store',
        response: answers(SignedOut, 400, 403, 429),
        detail: {
          operationId: 'auth.signout',
          summary: 'Ends this session, or all sessions of the user',
        },
      },
    )
    .get('/sessions', ({ request }) => signIn.sessions(knownCaller(request)), {
      auth: 'session',
      rate: 'revocation',
      cache: 'no-store',
      response: answers(SessionList, 401, 429),
      detail: { operationId: 'auth.sessions', summary: 'Active sessions, last seen first' },
    })
    .delete(
      '/sessions/:id',
      ({ request, params }) => signIn.endSession(knownCaller(request), params.id),
      {
        params: SessionId,
        auth: 'session',
        rate: 'revocation',
        cache: 'no-store',
        response: answers(SessionEnded, 401, 403, 404, 429),
        detail: { operationId: 'auth.endSession', summary: 'Ends a session immediately' },
      },
    )
