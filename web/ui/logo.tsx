/** The logo: a beam over an opening. Decorative beside the name. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true" className="shrink-0">
      <rect width="26" height="26" rx="6" fill="#0f5c63" />
      <rect x="5" y="7" width="16" height="4" rx="1" fill="#fff" />
      <path d="M8.5 11v9M17.5 11v9" stroke="#fff" strokeWidth="3" />
    </svg>
  );
}
