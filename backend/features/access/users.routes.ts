import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { clampedInteger, text } from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { OneUser, UserId, UserPage } from './account.schema.ts'
import type { Users } from './users.service.ts'

const UsersQuery = query({
  limit: clampedInteger({ default: 50, min: 1, max: 200 }),
  cursor: text('Where the page before ended'),
})

/** Users, for administrators. */
export const usersRoutes = (users: Users) =>
  new Elysia({ prefix: '/api/admin/users', tags: ['accounts'], adapter })
    .use(routeWords)
    .get('', ({ query: asked }) => users.page(asked), {
      query: UsersQuery,
      auth: 'admin',
      cache: 'no-store',
      response: answers(UserPage, 400, 401, 403, 429),
      detail: { operationId: 'users.list', summary: 'All users, oldest first' },
    })
    .patch('/:id', ({ params, body }) => users.change(params.id, body), {
      params: UserId,
      body: t.Any(),
      auth: 'admin',
      cache: 'no-store',
      response: answers(OneUser, 400, 401, 403, 404, 409, 429),
      detail: {
        operationId: 'users.change',
        summary: 'Another tier, or an administrator more or less; acts from the next request',
      },
    })
