/** Encrypted credentials of venues. */
export interface CredentialSchema {
  account_secret: AccountSecretTable
  credential_upload: CredentialUploadTable
  venue_credential: VenueCredentialTable
}

/** Secret of an account from which the keys of its envelopes are derived. */
export interface AccountSecretTable {
  user_id: string
  /** Encrypted with the key of the installation. */
  wrapped: string
  created_at: number
}

/** A key that was issued for one upload. */
export interface CredentialUploadTable {
  id: string
  user_id: string
  venue: string
  salt: string
  expires_at: number
  /** Null until its envelope arrived. */
  used_at: number | null
}

/** The envelope of a user's credentials at a venue: ciphertext only. */
export interface VenueCredentialTable {
  user_id: string
  venue: string
  /** The upload that the envelope is bound to. */
  upload_id: string
  envelope: string
  label: string | null
  updated_at: number
}
