import { covered, type Requirement } from './requirement.ts'

/** Keys of the data service, the terminal's own session, and what they let in. */
export const ACCESS: readonly Requirement[] = [
  covered('auth.words.table', '5', 'each auth word lets in the credentials it names and no other'),
  covered('auth.surfaces.data', '5', 'the data service takes its own keys and no service key'),
  covered('auth.session.cookie', '5', 'the terminal’s session is an HttpOnly, SameSite cookie'),
  covered('auth.session.csrf', '5', 'a write by cookie needs an Origin of ours'),
  covered('auth.session.renewal', '5', 'a session in use is renewed, for thirty days at most'),
  covered('auth.session.token', '5', 'only tokens that we signed, as we write them, are read'),
  covered('auth.signout.never', '5', 'leaving without a session is no error'),
  covered('auth.ticket.once', '5', 'a launch ticket is good once, for sixty seconds'),
  covered('auth.ticket.page', '5', 'the page takes the ticket out of its address at once'),
  covered('auth.ticket.open', '1', 'augury open opens the terminal signed in'),
  covered('auth.secrets.unlogged', '5', 'secrets are in no log and in no later answer'),
  covered('keys.data.shown-once', '5', 'a data key is in one answer and nowhere else'),
  covered('keys.data.hashed', '5', 'data keys are stored as Argon2id hashes'),
  covered('keys.data.revoked-at-once', '5', 'a revoked data key fails from the next call'),
  covered('keys.data.flood', '5', 'unknown keys are not hashed, others two at a time'),
  covered('keys.data.cli', '1', 'augury keys makes, lists and revokes data keys'),
]
