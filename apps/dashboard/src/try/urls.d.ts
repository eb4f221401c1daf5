/** A file of the site, by its address. Vite resolves it. */
declare module "*?url" {
  const address: string;
  export default address;
}
