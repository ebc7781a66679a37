import type { Route } from '../http/routes/route-table.ts'
import type { Person, SentHeaders, WholeService } from './whole-service.ts'

/** Headers that authenticate a user on a route; the owner's on routes for owners only. */
export function admittedAt(
  { auth, method }: Route,
  person: Person,
  { owner, secret, url }: WholeService,
): SentHeaders {
  switch (auth) {
    case 'none':
      return {}
    case 'optional':
    case 'anyone':
    case 'required':
    case 'session':
      return { authorization: `Bearer ${person.token}` }
    case 'cookie':
      return { cookie: person.cookie, ...(method !== 'GET' && { origin: url }) }
    case 'admin-cookie':
      return { cookie: owner.cookie, ...(method !== 'GET' && { origin: url }) }
    case 'data':
      return { authorization: `Bearer ${person.dataKey.key}` }
    case 'owner':
      return { authorization: `Launch ${secret}` }
    case 'admin':
    case 'operator':
      return { authorization: `Bearer ${owner.token}` }
  }
}
