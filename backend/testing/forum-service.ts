import type { MessageCreated, MessagePoll } from '../contract/forum/forum.ts'
import type { ErrorBody } from '../contract/schemas.ts'
import type { Static } from 'elysia'
import { startArchiveService, type ArchiveService } from './archive-service.ts'

/** A user of the forum. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly authorization: string
  /** Sends a request as this user; returns the status and the body. */
  send<T>(method: string, path: string, body?: unknown): Promise<[number, T]>
  /** The body of a successful read. */
  read<T>(path: string): Promise<T>
  /** Posts to a channel; throws if the message is refused. */
  post(channel: string, content: string, more?: object): Promise<MessageCreated>
  /** Status, code and text of a refusal. */
  refusal(method: string, path: string, body?: unknown): Promise<string>
  poll(query: string): Promise<MessagePoll>
}

export interface ForumTestService extends ArchiveService {
  readonly owner: Member
  /** Signs a user up. */
  join(name: string): Promise<Member>
}

/** The whole service over real HTTP, whose data clock a test advances. */
export async function startForumService(): Promise<ForumTestService> {
  const service = await startArchiveService({ start: '2026-11-20T12:00:00.000Z' })
  const memberOf = (id: string, name: string, authorization: string): Member => {
    const send: Member['send'] = async (method, path, body) => {
      const { status, text } = await service.ask(method, path, body as object, authorization)
      return [status, JSON.parse(text)]
    }
    return {
      id,
      name,
      authorization,
      send,
      async read<T>(path: string) {
        const [status, body] = await send<T>('GET', path)
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
        return body
      },
      async post(channel, content, more = {}) {
        const message = { channel, type: 'analysis', content, ...more }
        const [status, created] = await send<MessageCreated>('POST', '/api/forum/messages', message)
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(created)}`)
        return created
      },
      async refusal(method, path, body) {
        const [status, { code, error }] = await send<Static<typeof ErrorBody>>(method, path, body)
        return `${status} ${code}: ${error}`
      },
      poll: async (query) => (await send<MessagePoll>('GET', `/api/forum/messages${query}`))[1],
    }
  }
  const owner = memberOf('owner', 'Owner', service.authorization)
  return {
    ...service,
    get url() {
      return service.url
    },
    owner,
    async join(name) {
      const body = { name, email: `${name}@example.test`, password: 'a password of twelve' }
      const { text } = await service.ask('POST', '/api/signup', body, null)
      const created = JSON.parse(text) as { user: { id: string }; session: { accessToken: string } }
      return memberOf(created.user.id, name, `Bearer ${created.session.accessToken}`)
    },
  }
}
