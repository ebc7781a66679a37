import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { limit, text } from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { documentedBody } from '../../http/request/body.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { OneUser, UserChange, UserId, UserPage } from '../../contract/accounts.ts'
import type { Users } from './users.service.ts'

const UsersQuery = query({
  limit: limit(50, 200),
  cursor: text('End of the previous page'),
})

/** Users, for administrators. */
export const usersRoutes = (users: Users) =>
  new Elysia({ prefix: '/api/admin/users', tags: ['accounts'], adapter })
    .use(routePolicies)
    .get('', ({ query: paging }) => users.page(paging), {
      query: UsersQuery,
      auth: 'admin',
      cache: 'no-store',
      response: answers(UserPage, 400, 401, 403, 429),
      detail: { operationId: 'users.list', summary: 'All users, oldest first' },
    })
    .patch('/:id', ({ params, body }) => users.change(params.id, body), {
      params: UserId,
      body: documentedBody(UserChange),
      auth: 'admin',
      cache: 'no-store',
      response: answers(OneUser, 400, 401, 403, 404, 409, 429),
      detail: {
        operationId: 'users.change',
        summary:
          'Changes the tier or administrator role of a user; effective with the next request',
      },
    })
