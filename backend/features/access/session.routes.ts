import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf, knownCaller } from '../../http/auth.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { SessionEnded, SessionId, SessionList } from './account.schema.ts'
import { SignedIn, SignedOut, Ticket } from './session.schema.ts'
import { withCookie } from './session-cookie.ts'
import type { SignIn } from './sign-in.service.ts'

export const sessionRoutes = (signIn: SignIn) =>
  new Elysia({ prefix: '/api/auth', tags: ['accounts'], adapter })
    .use(routeWords)
    .post('/local', () => signIn.ticket(), {
      auth: 'owner',
      from: 'program',
      rate: 'auth',
      cache: 'no-store',
      response: answers(Ticket, 401, 403, 429),
      detail: {
        operationId: 'auth.local',
        summary: 'A one-time ticket that opens the terminal, for who can read the data folder',
      },
    })
    .post(
      '/exchange',
      async ({ body, headers, set }) =>
        withCookie(set, await signIn.exchange(body, headers['user-agent'] ?? null)),
      {
        body: t.Any(),
        auth: 'none',
        from: 'own-page',
        rate: 'auth',
        cache: 'no-store',
        response: answers(SignedIn, 400, 403, 410, 429),
        detail: { operationId: 'auth.exchange', summary: 'A session for a one-time ticket' },
      },
    )
    .post(
      '/signout',
      async ({ request, body, set }) =>
        withCookie(set, await signIn.signOut(callerOf(request), body)),
      {
        body: t.Any(),
        auth: 'anyone',
        rate: 'way-out',
        from: 'own-page',
        cache: 'no-store',
        response: answers(SignedOut, 400, 403, 429),
        detail: { operationId: 'auth.signout', summary: 'Ends this session, or all of its user' },
      },
    )
    .get('/sessions', ({ request }) => signIn.sessions(knownCaller(request)), {
      auth: 'session',
      rate: 'way-out',
      cache: 'no-store',
      response: answers(SessionList, 401, 429),
      detail: { operationId: 'auth.sessions', summary: 'Live sessions, last seen first' },
    })
    .delete(
      '/sessions/:id',
      ({ request, params }) => signIn.endSession(knownCaller(request), params.id),
      {
        params: SessionId,
        auth: 'session',
        rate: 'way-out',
        cache: 'no-store',
        response: answers(SessionEnded, 401, 403, 404, 429),
        detail: { operationId: 'auth.endSession', summary: 'Ends a session, effective at once' },
      },
    )
