import { untrack } from 'svelte'
import { me } from '../api/account-questions.ts'
import type { Me, SignedUp, User } from '../api/account-types.ts'
import type { Answer } from '../api/client.ts'
import type { Live } from '../api/live.ts'
import type { LinkState } from '../api/socket/link.ts'

/** Whether the page's requests come from somebody. */
export type Standing = 'unknown' | 'anonymous' | 'known'

/**
 * Who is signed in. The cookie cannot be read, and asking as nobody is an error; so the page asks
 * once it has reason to: a session has just begun, or the socket says that there is one.
 */
export class Account {
  readonly #live: Live
  readonly #me
  #heard: LinkState | null = null
  #lastId: string | null = null
  /** A session began in this page, whatever the socket said before. */
  #hasEntered = $state(false)
  readonly standing: Standing = $derived.by(() => {
    const { body, failure } = this.#me
    if (failure?.status === 401) return 'anonymous'
    if (body !== null) return 'known'
    return this.#mayBeKnown ? 'unknown' : 'anonymous'
  })
  readonly user: User | null = $derived.by(() =>
    this.standing === 'known' ? (this.#me.body?.user ?? null) : null,
  )

  constructor(live: Live) {
    this.#live = live
    this.#me = live.source(me)
  }

  get me(): Me | null {
    return this.standing === 'known' ? this.#me.body : null
  }

  get #mayBeKnown(): boolean {
    const { link } = this.#live.topics
    return this.#hasEntered || link.kind !== 'polling' || link.reason !== 'signed-out'
  }

  /** A reason to ask: the socket let us in, or cannot say. */
  get #asks(): boolean {
    const { link } = this.#live.topics
    if (this.#hasEntered) return true
    if (this.#me.failure?.status === 401) return false
    // What was known has to be asked again when the socket says otherwise.
    if (this.#me.body !== null) return true
    return this.#mayBeKnown && link.kind !== 'connecting'
  }

  /** A session began: by ticket, sign-in or in another window. */
  readonly entered = (): void => {
    this.#me.clear()
    this.#hasEntered = true
    this.#live.topics.wake()
    this.#live.renew(this.#me)
  }

  /** Nobody is signed in any more; the service closes the socket. */
  #left(): void {
    this.#hasEntered = false
    this.#me.clear()
  }

  /** Keeps knowing until the returned function is called. To be called inside an effect. */
  watch(): () => void {
    const { link } = this.#live.topics
    const release = this.#asks ? this.#live.hold(this.#me) : () => {}
    untrack(() => this.#hear(link))
    return release
  }

  /** What the socket says of the session, once for each thing it says. */
  #hear(link: LinkState): void {
    if (link === this.#heard) return
    this.#heard = link
    const isSignedOut = link.kind === 'polling' && link.reason === 'signed-out'
    // Ended or begun in another window: what was known is asked again.
    if (isSignedOut && this.#me.body !== null) this.#live.renew(this.#me)
    if (link.kind === 'live' && this.#me.failure !== null) this.#me.clear()
  }

  /** Forgets what was answered to somebody else. To be called inside an effect. */
  follow(): void {
    const id = this.user?.id ?? null
    untrack(() => {
      if (id !== this.#lastId) this.#live.forgetOwn()
      this.#lastId = id
    })
  }

  async signIn(email: string, password: string): Promise<Answer<object>> {
    const answer = await this.#live.send('POST', '/api/auth/signin', { email, password })
    if (answer.ok) this.entered()
    return answer
  }

  /** The answer holds the new account's first key, this once. */
  async signUp(email: string, password: string, name: string): Promise<Answer<SignedUp>> {
    const body = { email, password, ...(name.trim() !== '' && { name }) }
    const answer = await this.#live.send<SignedUp>('POST', '/api/signup', body)
    if (answer.ok) this.entered()
    return answer
  }

  /** @param change fields of `PATCH /api/auth/me` */
  async change(change: object): Promise<Answer<object>> {
    const answer = await this.#live.send('PATCH', '/api/auth/me', change)
    if (answer.ok) this.#live.renew(this.#me)
    return answer
  }

  /** @param all also everywhere else */
  async signOut(all: boolean): Promise<Answer<object>> {
    const answer = await this.#live.send('POST', '/api/auth/signout', { all })
    if (answer.ok) this.#left()
    return answer
  }
}
