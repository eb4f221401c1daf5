/** The dashboard's server: the page, and what it has counted, on the loopback interface alone. For Node. */
export type { Backends, ListedBackend } from "./backends.ts";
export { type Dashboard, type DashboardOptions, serveDashboard } from "./server.ts";
