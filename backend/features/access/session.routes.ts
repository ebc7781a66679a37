import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf, knownCaller } from '../../http/auth.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Me, SignedIn, SignedOut, Ticket } from './session.schema.ts'
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
      async ({ body, headers, set }) => {
        const answer = await signIn.exchange(body, headers['user-agent'] ?? null)
        set.headers['set-cookie'] = answer.setCookie
        return answer.body
      },
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
    .get('/me', ({ request }) => signIn.me(knownCaller(request)), {
      auth: 'session',
      cache: 'no-store',
      response: answers(Me, 401, 429),
      detail: {
        operationId: 'auth.me',
        summary: 'Who asks, by what, and the numbers of their tier',
      },
    })
    .post(
      '/signout',
      async ({ request, body, set }) => {
        const answer = await signIn.signOut(callerOf(request), body)
        set.headers['set-cookie'] = answer.setCookie
        return answer.body
      },
      {
        body: t.Any(),
        auth: 'anyone',
        from: 'own-page',
        cache: 'no-store',
        response: answers(SignedOut, 400, 403, 429),
        detail: { operationId: 'auth.signout', summary: 'Ends this session, or all of its user' },
      },
    )
