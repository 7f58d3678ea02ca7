public enum Runner {}
