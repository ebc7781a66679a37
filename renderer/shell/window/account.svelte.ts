import { untrack } from 'svelte'
import { me } from '../../api/account-queries.ts'
import type { Me, SignedUp, UserBody } from '../../../backend/contract/accounts.ts'
import type { Answer } from '../../api/client.ts'
import type { Live } from '../../api/live.ts'
import type { LinkState } from '../../api/socket/link.ts'

/** Whether the page is signed in. */
export type SignInState = 'unknown' | 'anonymous' | 'known'

/**
 * The session. Its cookie is not readable, and an anonymous request for the user is an error; so
 * the page requests the user only after a session started or the socket reported one.
 */
export class Account {
  readonly #live: Live
  readonly #me
  #lastLink: LinkState | null = null
  #lastId: string | null = null
  /** A session started in this page, whatever the socket reported before. */
  #hasStarted = $state(false)
  readonly signInState: SignInState = $derived.by(() => {
    const { body, failure } = this.#me
    if (failure?.status === 401) return 'anonymous'
    if (body !== null) return 'known'
    return this.#mayBeKnown ? 'unknown' : 'anonymous'
  })
  readonly user: UserBody | null = $derived.by(() =>
    this.signInState === 'known' ? (this.#me.body?.user ?? null) : null,
  )

  constructor(live: Live) {
    this.#live = live
    this.#me = live.source(me)
  }

  get me(): Me | null {
    return this.signInState === 'known' ? this.#me.body : null
  }

  get #mayBeKnown(): boolean {
    const { link } = this.#live.topics
    return this.#hasStarted || link.kind !== 'polling' || link.reason !== 'signed-out'
  }

  /** A reason to request the user: the socket reported a session, or cannot report one. */
  get #shouldRequestUser(): boolean {
    const { link } = this.#live.topics
    if (this.#hasStarted) return true
    if (this.#me.failure?.status === 401) return false
    // The user has to be requested again when the socket reports a different session.
    if (this.#me.body !== null) return true
    return this.#mayBeKnown && link.kind !== 'connecting'
  }

  /** A session started: by ticket, by sign-in or in another window. */
  readonly onSignIn = (): void => {
    this.#me.clear()
    this.#hasStarted = true
    this.#live.topics.check()
    this.#live.refetch(this.#me)
  }

  /** The session ended; the service closes the socket. */
  #onSessionEnded(): void {
    this.#hasStarted = false
    this.#me.clear()
  }

  /** Keeps the user current until the returned function is called. Call it inside an effect. */
  watch(): () => void {
    const { link } = this.#live.topics
    const release = this.#shouldRequestUser ? this.#live.subscribe(this.#me) : () => {}
    untrack(() => this.#receive(link))
    return release
  }

  /** Handles the session state that the socket reports, once per change. */
  #receive(link: LinkState): void {
    if (link === this.#lastLink) return
    this.#lastLink = link
    const isSignedOut = link.kind === 'polling' && link.reason === 'signed-out'
    // The session ended or started in another window: the user is requested again.
    if (isSignedOut && this.#me.body !== null) this.#live.refetch(this.#me)
    if (link.kind === 'live' && this.#me.failure !== null) this.#me.clear()
  }

  /** Clears responses that belong to another user. Call it inside an effect. */
  follow(): void {
    const id = this.user?.id ?? null
    untrack(() => {
      if (id !== this.#lastId) this.#live.forgetOwn()
      this.#lastId = id
    })
  }

  async signIn(email: string, password: string): Promise<Answer<object>> {
    const answer = await this.#live.send('POST', '/api/auth/signin', { email, password })
    if (answer.ok) this.onSignIn()
    return answer
  }

  /** The response contains the new account's first key, only this once. */
  async signUp(email: string, password: string, name: string): Promise<Answer<SignedUp>> {
    const body = { email, password, ...(name.trim() !== '' && { name }) }
    const answer = await this.#live.send('POST', '/api/signup', body)
    if (answer.ok) this.onSignIn()
    return answer
  }

  /** @param change fields of `PATCH /api/auth/me` */
  async change(change: object): Promise<Answer<object>> {
    const answer = await this.#live.send('PATCH', '/api/auth/me', change)
    if (answer.ok) this.#live.refetch(this.#me)
    return answer
  }

  /** @param all ends every other session, too */
  async signOut(all: boolean): Promise<Answer<object>> {
    const answer = await this.#live.send('POST', '/api/auth/signout', { all })
    if (answer.ok) this.#onSessionEnded()
    return answer
  }
}
